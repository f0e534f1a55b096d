// The table was compared with ISO's list one of June 2024 and its amendments since (XCG for ANG, XAD new, BGN and CUC
// withdrawn), with Debian's iso-codes and with the JDK. The exponents other than 2 are repeated here, because a wrong
// one charges a wrong amount. Intl is compared too; its differences from ISO 4217 are listed.

import { describe, expect, test } from 'vitest';
import { currencies, currencyName, exponentOf, isCryptocurrency } from './currencies.ts';

const exceptions: Record<number, string> = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
};

test.each([
  ['BTC', 8],
  ['USDT', 6],
  ['MATIC', 6],
])('the coin %s has %i decimals, and is no currency of ISO 4217', (coin, exponent) => {
  expect(exponentOf(coin)).toBe(exponent);
  expect(isCryptocurrency(coin)).toBe(true);
  expect(coin in currencies).toBe(false);
});

test.each(['EUR', 'usdt', 'USDTX', 'toString'])('%s is no coin', (code) => {
  expect(isCryptocurrency(code)).toBe(false);
});

describe('ISO 4217', () => {
  test('the table is complete: 165 codes with a minor unit', () => {
    expect(Object.keys(currencies)).toHaveLength(165);
  });

  test('every row is well formed, and numeric codes are unique', () => {
    for (const [alpha, row] of Object.entries(currencies)) {
      expect(alpha).toMatch(/^[A-Z]{3}$/);
      expect(row.numeric).toMatch(/^[0-9]{3}$/);
    }
    const numeric = Object.values(currencies).map((row) => row.numeric);
    expect(new Set(numeric).size).toBe(numeric.length);
  });

  test('exponents other than 2', () => {
    const found: Record<number, string[]> = {};
    for (const [alpha, { exponent }] of Object.entries(currencies)) {
      found[exponent] = [...(found[exponent] ?? []), alpha];
    }
    const { 2: usual, ...rest } = found;
    expect(usual).toHaveLength(139);
    expect(rest).toEqual(Object.fromEntries(Object.entries(exceptions).map(([key, list]) => [key, list.split(' ')])));
  });

  test('exponents differ from those of Intl for the known currencies only', () => {
    const digits = (currency: string) =>
      new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
    const known = Intl.supportedValuesOf('currency').filter((code) => code in currencies);
    expect(known.filter((code) => digits(code) !== exponentOf(code)).join(' ')).toBe(
      'AFN ALL COP HUF IDR IQD IRR KPW LAK LBP MGA MMK PKR SOS SYP YER',
    );
  });

  test('no currency of Intl is absent, except withdrawn ones and units of account', () => {
    const absent = Intl.supportedValuesOf('currency').filter((code) => !(code in currencies));
    const known = 'ANG BGN CUC HRK SLL XDR XSU ZWL'.split(' ');
    expect(absent.filter((code) => !known.includes(code))).toEqual([]);
  });

  test('every currency of Intl has a name', () => {
    expect(currencyName('CHF')).toBe('Swiss Franc');
    const known = Intl.supportedValuesOf('currency').filter((code) => code in currencies);
    expect(known.filter((code) => currencyName(code) === code)).toEqual([]);
  });

  // interface.md, S2S APM: such currencies take whole units.
  test.each(['XOF', 'XAF'])('%s has no decimals', (code) => {
    expect(exponentOf(code)).toBe(0);
  });

  test.each([
    ['EUR', '978', 2],
    ['USD', '840', 2],
    ['HUF', '348', 2],
    ['IDR', '360', 2],
    ['MGA', '969', 2],
    ['MRU', '929', 2],
    ['ALL', '008', 2],
    ['XCG', '532', 2],
    ['ZWG', '924', 2],
    ['TZS', '834', 2],
  ])('%s is %s with %i decimals', (alpha, numeric, exponent) => {
    expect(currencies[alpha]).toMatchObject({ numeric, exponent });
  });

  test.each(['XAU', 'XTS', 'XXX', 'eur', '', 'EU', 'EURO', 'constructor', '__proto__', 'BGN', 'HRK', 'ANG', 'SLL'])(
    'no amount can be written in %j',
    (code) => {
      expect(exponentOf(code)).toBeNull();
    },
  );
});
