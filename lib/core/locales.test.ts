import { describe, expect, it } from 'vitest';
import { findLocale, localeOf, localeOfTag, locales, resolveLocale } from './locales.ts';

describe('locales', () => {
  it('are the 21 of the contract', () => {
    expect(locales.map((locale) => locale.code).join(', ')).toBe(
      'en, sp, ar, az, fr, nb, zh, zh-TW, kk, de, it, hr, cs, hu, pl, pt, ro, ja, nl, bg, ru',
    );
    expect(locales.filter((locale) => locale.dir === 'rtl').map((locale) => locale.code)).toEqual(['ar']);
    expect(localeOf('sp')).toEqual({ code: 'sp', bcp47: 'es', intl: 'es', name: 'Español', dir: 'ltr' });
  });

  it('are supported by Intl, with Latin digits', () => {
    for (const locale of locales) {
      expect(Intl.NumberFormat.supportedLocalesOf(locale.intl)).toEqual([locale.intl]);
      expect(new Intl.NumberFormat(locale.intl).format(1)).toBe('1');
    }
  });

  it('are found in any case', () => {
    expect(findLocale('ZH-tw')?.code).toBe('zh-TW');
    expect(findLocale(' SP ')?.code).toBe('sp');
    expect(findLocale('es')).toBeNull();
  });
});

describe('a browser’s tag', () => {
  it.each([
    ['es-MX', 'sp'],
    ['en-GB', 'en'],
    ['no', 'nb'],
    ['nn-NO', 'nb'],
    ['zh', 'zh'],
    ['zh-CN', 'zh'],
    ['zh-Hans-HK', 'zh'],
    ['zh-Hant', 'zh-TW'],
    ['zh-HK', 'zh-TW'],
    ['zh_TW', 'zh-TW'],
    ['pt-BR', 'pt'],
    ['sp', null],
    ['*', null],
    ['', null],
    ['sv', null],
  ])('%s is %s', (tag, code) => {
    expect(localeOfTag(tag)).toBe(code);
  });
});

describe('resolveLocale', () => {
  it.each([
    // requested, mapping default, Accept-Language, result
    ['de', 'fr', 'it', 'de'],
    ['SP', undefined, undefined, 'sp'],
    ['zh-tw', undefined, undefined, 'zh-TW'],
    ['xx', 'fr', 'it', 'en'],
    ['es', 'fr', 'it', 'en'],
    ['__proto__', undefined, undefined, 'en'],
    [undefined, 'fr', 'it', 'fr'],
    [null, 'fr', 'it', 'fr'],
    ['', 'fr', 'it', 'fr'],
    [undefined, 'xx', 'it', 'it'],
    [undefined, undefined, 'es-AR,es;q=0.9,en;q=0.8', 'sp'],
    [undefined, undefined, 'sv, en;q=0.5, de;q=0.9', 'de'],
    [undefined, undefined, 'de;q=0, ja;q=0.1', 'ja'],
    [undefined, undefined, 'ru;q=0.5,de;q=0.5', 'ru'],
    [undefined, undefined, ';;;q=,,', 'en'],
    [undefined, undefined, '*', 'en'],
    [undefined, null, null, 'en'],
  ])('%s, %s, %s gives %s', (requested, preset, accept, code) => {
    expect(resolveLocale(requested, preset, accept)).toBe(code);
  });
});
