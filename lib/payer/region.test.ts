import { expect, it } from 'vitest';
import type { LocaleCode } from '../core/locales.ts';
import { regionOf, tagOf } from './region.ts';

// language | the page's tags | Accept-Language | country | region
const cases = `
sp    |               |                                  |    |
sp    | es-MX         | es-AR                            | CO | MX
sp    | sp            | es-AR, es;q=0.9                  | CO | AR
sp    |               | es                               | CO | CO
sp    |               | en-US, es-MX;q=0.8, es-ES;q=0.9  |    | ES
sp    |               | es-MX;q=0, es-PE;q=0.1           |    | PE
sp    |               | es-419                           | MX | 419
sp    |               | en-US                            | US | US
sp    |               |                                  | DE |
sp    | xx es-PY      |                                  |    | PY
en    | en_US         |                                  |    | US
en    | de-CH         | en-GB                            | US | GB
en    |               | hi-IN, en;q=0.5                  | IN | IN
en    |               | en                               | DE |
en    |               | en-DE                            |    | DE
en    |               | en-ZZ, en-u-nu-latn              | RS |
de    |               |                                  | CH | CH
de    |               |                                  | AT | AT
de    |               |                                  | US |
pt    |               |                                  | PT | PT
pt    |               | pt-BR                            | PT | BR
fr    |               | fr-CH, en;q=0.5                  |    | CH
nb    |               | no-NO                            |    | NO
nb    |               |                                  | no | NO
zh-TW | zh-TW         | zh-HK                            |    | HK
zh-TW |               | zh-Hant-HK                       |    | HK
zh-TW |               |                                  | TW | TW
zh-TW |               |                                  | CN |
zh    |               | zh-TW, zh-CN;q=0.5               |    | CN
zh    |               |                                  | SG | SG
zh    |               |                                  | TW |
ar    |               |                                  | EG | EG
ja    |               | ja-JP                            |    | JP
hu    |               | not a tag, *                     | xx |
`;

const rows = cases
  .trim()
  .split('\n')
  .map((line) => line.split('|').map((cell) => cell.trim()) as [LocaleCode, string, string, string, string]);

it.each(rows)('%s, tags %j, browser %j, country %j: %j', (language, tags, acceptLanguage, country, region) => {
  expect(regionOf(language, { tags: tags.split(' '), acceptLanguage, country }) ?? '').toBe(region);
});

it.each([
  ['sp', 'MX', 'es-MX'],
  ['sp', '419', 'es-419'],
  ['nb', 'NO', 'nb-NO'],
  ['zh', 'CN', 'zh-CN'],
  ['zh', 'HK', 'zh-Hans-HK'],
  ['zh-TW', 'TW', 'zh-TW'],
  ['zh-TW', 'HK', 'zh-Hant-HK'],
] as const)('%s in %s is %s', (language, region, tag) => {
  expect(tagOf(language, region)).toBe(tag);
});
