import { describe, expect, it } from 'vitest';
import type { LocaleCode } from '../core/locales.ts';
import { translationsOf } from './i18n.ts';

const plainSpaces = (text: string): string => text.replace(/[\u00a0\u202f]/g, ' ');

// Expected texts are CLDR's, as browsers show them; decimals are those of ISO 4217.
const amounts: [LocaleCode, bigint, string, string][] = [
  ['en', 8450n, 'EUR', '€84.50'],
  ['en', 8450n, 'USD', '$84.50'],
  ['en', 0n, 'EUR', '€0.00'],
  ['en', 5n, 'EUR', '€0.05'],
  ['en', 1200n, 'JPY', '¥1,200'],
  ['en', 12345n, 'KWD', 'KWD 12.345'],
  ['en', 128450n, 'RSD', 'RSD 1,284.50'],
  // Intl would show no decimals for these two currencies.
  ['en', 100050n, 'HUF', 'HUF 1,000.50'],
  ['en', 100050n, 'COP', 'COP 1,000.50'],
  ['de', 128450n, 'EUR', '1.284,50 €'],
  ['fr', 128450n, 'EUR', '1 284,50 €'],
  ['ja', 1200n, 'JPY', '￥1,200'],
];

describe('amounts', () => {
  it('of cryptocurrencies have their code and no more decimals than needed', () => {
    const of = (minor: bigint, currency: string) => plainSpaces(translationsOf('en').amount({ minor, currency }).text);
    expect(of(25_500_000n, 'USDT')).toBe('USDT 25.50');
    expect(of(123n, 'BTC')).toBe('BTC 0.00000123');
    expect(plainSpaces(translationsOf('de').amount({ minor: 25_000_000n, currency: 'USDT' }).text)).toBe('25,00 USDT');
  });

  it.each(amounts)('%s %s %s', (code, minor, currency, text) => {
    expect(plainSpaces(translationsOf(code).amount({ minor, currency }).text)).toBe(text);
  });

  it('never pass through a floating-point number', () => {
    const text = translationsOf('en').amount({ minor: 900_719_925_474_099_301n, currency: 'EUR' }).text;
    expect(text).toBe('€9,007,199,254,740,993.01');
  });

  it('keep Latin digits in Arabic', () => {
    expect(translationsOf('ar').amount({ minor: 8450n, currency: 'SAR' }).text).toContain('84.50');
    expect(translationsOf('ar').amount({ minor: 8450n, currency: 'BRL' }).text).toMatch(/R\$\u200e$/);
    expect(translationsOf('ar').amount({ minor: 8450n, currency: 'EUR' }).text).toMatch(/€$/);
  });

  it('distinguish letter codes from symbols', () => {
    expect(
      translationsOf('en')
        .amount({ minor: 8450n, currency: 'RSD' })
        .parts.map((part) => part.kind),
    ).toEqual(['code', 'space', 'number']);
    expect(translationsOf('en').amount({ minor: 8450n, currency: 'EUR' }).parts[0]).toEqual({
      kind: 'symbol',
      text: '€',
    });
  });
});

describe('messages', () => {
  it('contain dates in UTC with the time zone', () => {
    const at = new Date('2026-11-20T14:06:00Z');
    expect(plainSpaces(translationsOf('en').dateTime(at))).toBe('20 November 2026 at 14:06 UTC');
    expect(plainSpaces(translationsOf('de').time(at))).toMatch(/14:06.*UTC/);
  });

  it('choose the plural', () => {
    const { t } = translationsOf('en');
    expect(t('receipt.countdown', { seconds: 1 })).toBe('Returning automatically in 1 second.');
    expect(t('receipt.countdown', { seconds: 8 })).toBe('Returning automatically in 8 seconds.');
  });

  it('treat arguments as text, never as syntax', () => {
    expect(translationsOf('en').t('pay.title', { merchant: '{amount} <b>' })).toBe('Pay {amount} <b>');
  });

  it('throw for an unknown key', () => {
    expect(() => translationsOf('en').t('pay.nothing')).toThrow();
  });
});
