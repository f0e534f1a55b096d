import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, it } from 'vitest';
import { type LocaleCode, localeOfTag } from '../core/locales.ts';
import { translationsOf } from '../http/index.ts';
import { regionalMessages, translationsIn } from './regional-translations.ts';

const plainSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

const folder = join(import.meta.dirname, '../../messages/regions');
const tags = readdirSync(folder).map((name) => name.replace(/\.json$/, ''));
const read = (path: string): Record<string, string> => JSON.parse(readFileSync(join(folder, path), 'utf8'));

function argumentsOf(text: string): string[] {
  const walk = (elements: MessageFormatElement[]): string[] =>
    elements.flatMap((element) => {
      if (element.type === TYPE.literal || element.type === TYPE.pound) return [];
      if (element.type === TYPE.tag) return walk(element.children);
      const options = 'options' in element ? Object.values(element.options) : [];
      return [element.value, ...options.flatMap((option) => walk(option.value))];
    });
  return [...new Set(walk(parse(text)))].sort();
}

describe('amounts and dates', () => {
  it.each([
    ['sp', 'MX', 123450n, 'MXN', '$1,234.50 MXN'],
    ['sp', 'MX', 123450n, 'USD', 'USD 1,234.50'],
    ['sp', 'AR', 123450n, 'ARS', '$ 1.234,50 ARS'],
    ['sp', 'EC', 123450n, 'USD', '$1.234,50'],
    ['pt', 'PT', 123450n, 'EUR', '1234,50 €'],
    ['pt', 'PT', 1234567_50n, 'EUR', '1 234 567,50 €'],
    ['pt', 'BR', 123450n, 'BRL', 'R$ 1.234,50'],
    ['en', 'US', 123450n, 'USD', '$1,234.50'],
    ['en', 'CA', 123450n, 'CAD', '$1,234.50 CAD'],
    ['en', 'CA', 123450n, 'USD', 'US$1,234.50'],
    ['en', 'GB', 123450n, 'GBP', '£1,234.50'],
    ['en', 'IN', 123456750n, 'INR', '₹12,34,567.50'],
    ['de', 'CH', 123450n, 'CHF', "CHF 1'234.50"],
    ['de', 'AT', 123450n, 'EUR', '€ 1.234,50'],
    // Intl would show no decimals for this currency.
    ['sp', 'CO', 100050n, 'COP', '$ 1.000,50 COP'],
    ['ja', 'JP', 1200n, 'JPY', '￥1,200'],
    ['ar', 'EG', 8450n, 'EUR', '‏84.50 €'],
    ['de', 'CH', 25_500_000n, 'USDT', 'USDT 25.50'],
  ] as const)('%s %s %s %s', (language, region, minor, currency, text) => {
    expect(plainSpaces(translationsIn(language, region).amount({ minor, currency }).text).replace('’', "'")).toBe(text);
  });

  it('groups digits as in India', () => {
    expect(new Intl.NumberFormat('hi-IN').format(1234567)).toBe('12,34,567');
    expect(translationsIn('en', 'IN').amount({ minor: 900_719_925_474_099_301n, currency: 'INR' }).text).toBe(
      '₹9,00,71,99,25,47,40,993.01',
    );
  });

  it.each([
    ['en', 'US', 'November 20, 2026 at 02:06 PM UTC'],
    ['en', 'GB', '20 November 2026 at 14:06 UTC'],
    ['sp', 'MX', '20 de noviembre de 2026 a las 02:06 p.m. UTC'],
    ['pt', 'PT', '20 de novembro de 2026 às 14:06 UTC'],
    ['de', 'CH', '20. November 2026 um 14:06 UTC'],
  ] as const)('%s %s writes %s', (language, region, text) => {
    expect(plainSpaces(translationsIn(language, region).dateTime(new Date('2026-11-20T14:06:00Z')))).toBe(text);
  });

  it('separates the code from a dollar sign', () => {
    expect(translationsIn('sp', 'MX').amount({ minor: 8450n, currency: 'MXN' }).parts).toEqual([
      { kind: 'symbol', text: '$' },
      { kind: 'number', text: '84.50' },
      { kind: 'space', text: '\u00a0' },
      { kind: 'code', text: 'MXN' },
    ]);
  });
});

describe('translations of a region', () => {
  it('carry the full tag, for the page and for its script', () => {
    expect(translationsIn('sp', 'MX')).toMatchObject({ code: 'sp', lang: 'es-MX', intl: 'es-MX', dir: 'ltr' });
    expect(translationsIn('ar', 'EG')).toMatchObject({
      code: 'ar',
      lang: 'ar-EG',
      intl: 'ar-EG-u-nu-latn',
      dir: 'rtl',
    });
  });

  it('are those of the language without a region', () => {
    expect(translationsIn('en', null)).toBe(translationsOf('en'));
    expect(translationsIn('hu', 'HU').t('field.zip')).toBe(translationsOf('hu').t('field.zip'));
  });

  it.each([
    ['en', 'US', 'receipt.headingAuthorised', 'Payment authorized'],
    ['en', 'GB', 'receipt.headingAuthorised', 'Payment authorised'],
    ['en', 'US', 'field.zip', 'ZIP code'],
    ['en', 'NZ', 'field.zip', 'Postcode'],
    ['sp', 'PE', 'summary.amount', 'Monto'],
    ['sp', 'ES', 'field.card_expiry', 'Caducidad'],
    ['sp', 'MX', 'field.district', 'Colonia'],
    ['sp', 'MX', 'error.zip.empty', 'Ingrese su código postal.'],
    ['pt', 'PT', 'waiting.confirmation.heading', 'Confirme no telemóvel'],
    ['pt', 'AO', 'field.address', 'Morada'],
    ['pt', 'BR', 'field.zip', 'CEP'],
    ['de', 'CH', 'field.address', 'Strasse'],
    ['de', 'LI', 'field.zip', 'PLZ'],
    ['de', 'AT', 'field.address', 'Straße'],
  ] as const)('%s %s: %s is %s', (language, region, key, text) => {
    expect(translationsIn(language, region).t(key)).toBe(text);
  });

  it('keep the letters of names', () => {
    expect(translationsIn('de', 'CH').t('waiting.close', { merchant: 'Groß' })).toContain('Groß');
    expect(Object.values(regionalMessages('de', 'CH')).join()).not.toContain('ß');
  });
});

describe.each(tags)('the words of %s', (tag) => {
  const language = localeOfTag(tag) as LocaleCode;
  const base = read(`../${language}.json`);
  const own = read(`${tag}.json`);
  const parent = /^es-(MX|AR|CL|CO)$/.test(tag) ? { ...base, ...read('es-419.json') } : base;

  it('replace texts of the language, in its order and with its arguments', () => {
    expect(Object.keys(own)).toEqual(Object.keys(base).filter((key) => key in own));
    for (const [key, text] of Object.entries(own)) {
      expect([key, argumentsOf(text)]).toEqual([key, argumentsOf(base[key] ?? '')]);
      expect([key, text]).not.toEqual([key, parent[key]]);
    }
  });

  it('are tidy and short where space is limited', () => {
    for (const [key, text] of Object.entries(own)) {
      expect([key, text.trim().normalize('NFC')]).toEqual([key, text]);
      expect([key, /'|"| {2}|\.\.\.|!/.test(text)]).toEqual([key, false]);
      if (key.startsWith('error.')) expect([key, text.length <= 40]).toEqual([key, true]);
      if (/^(field|details|parameter)\./.test(key)) expect([key, text.length <= 36]).toEqual([key, true]);
    }
  });
});

it('remembers the translations of a hundred regions, because a request can name five thousand', () => {
  const first = translationsIn('en', 'NZ');
  expect(translationsIn('en', 'NZ')).toBe(first);
  const regions = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((one) => [...'ABCDE'].map((other) => one + other));
  for (const region of regions) translationsIn('de', region);
  expect(translationsIn('en', 'NZ')).not.toBe(first);
});
