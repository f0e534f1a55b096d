import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { currencies, exponentOf } from './currencies.ts';
import { type AmountError, formatAmount, grouped, parseAmount } from './money.ts';

const currency = fc.constantFrom(...Object.keys(currencies));
const minor = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });

describe('round trips', () => {
  test('formatted amounts are parsed back, in every currency', () => {
    for (const code of Object.keys(currencies)) {
      for (const amount of [0n, 1n, 9n, 10n, 99n, 100n, 12_345n, 999_999_999_999_999n]) {
        expect(parseAmount(formatAmount(amount, code), code), code).toEqual({ ok: true, minor: amount });
      }
    }
    fc.assert(
      fc.property(currency, minor, (code, amount) => {
        expect(parseAmount(formatAmount(amount, code), code)).toEqual({ ok: true, minor: amount });
      }),
    );
  });

  test('parsed amounts are formatted with all decimals', () => {
    const whole = fc.bigInt({ min: 0n, max: 999_999_999_999_999n });
    const decimals = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(currency, whole, decimals, (code, left, right) => {
        const exponent = exponentOf(code) as number;
        const decimals = right.slice(0, exponent);
        const text = decimals === '' ? `${left}` : `${left}.${decimals}`;
        const parsed = parseAmount(text, code);
        if (!parsed.ok) throw new Error(`${text} ${code}: ${parsed.fault}`);
        const full = exponent === 0 ? `${left}` : `${left}.${decimals.padEnd(exponent, '0')}`;
        expect(formatAmount(parsed.minor, code)).toBe(full);
      }),
    );
  });

  test('only plain decimal texts are parsed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double().map(String), fc.float().map(String)), (text) => {
        if (!parseAmount(text, 'CLF').ok) return;
        expect(text).toMatch(/^\d{1,15}(\.\d{1,4})?$/);
        expect(text).not.toMatch(/^0\d/);
      }),
    );
  });
});

const cases = `
84.50                EUR | 8450
84.5                 EUR | 8450
84                   EUR | 8400
0                    EUR | 0
0.00                 EUR | 0
0.50                 EUR | 50
10.001               EUR | decimals
10.000               EUR | decimals
10                   JPY | 10
10.00                JPY | 10
0.00                 JPY | 0
10.0                 JPY | decimals
10.000               JPY | decimals
10.01                JPY | decimals
10.50                JPY | decimals
1.234                KWD | 1234
1.2345               KWD | decimals
1.2345               CLF | 12345
1.00                 CLF | 10000
999999999999999.99   EUR | 99999999999999999
1000000000000000     EUR | range
1000000000000000.00  JPY | range
1                    XAU | currency
1                    BGN | currency
1                    eur | currency
1                    EURO | currency
1                    constructor | currency
1                    __proto__ | currency
`;

const malformed = [
  ...['', ' ', '1e3', '1E3', '-1', '-0', '+1', '01.00', '00', '007', '1,00', '1 000', '1_000', ' 1', '1 ', '1\n', '.5'],
  ...['5.', '.', '1.2.3', '0x10', 'NaN', 'Infinity', '١٢', '１', '1．0', '10,5', '$5', '5EUR', 'null', '\u00001', '−1'],
];

describe('parseAmount', () => {
  test.each(cases.trim().split('\n'))('%s', (line) => {
    const [given = '', expected = ''] = line.split('|').map((part) => part.trim());
    const [text = '', code = ''] = given.split(/\s+/);
    const parsed = parseAmount(text, code);
    expect(parsed).toEqual(
      /^\d+$/.test(expected) ? { ok: true, minor: BigInt(expected) } : { ok: false, fault: expected as AmountError },
    );
  });

  test.each(malformed)('%j is not an amount', (text) => {
    expect(parseAmount(text, 'EUR')).toEqual({ ok: false, fault: 'format' });
    expect(parseAmount(text, 'JPY')).toEqual({ ok: false, fault: 'format' });
  });

  test('a very long text is rejected at once', () => {
    expect(parseAmount('9'.repeat(1_000_000), 'EUR')).toEqual({ ok: false, fault: 'range' });
    expect(parseAmount(`1.${'0'.repeat(1_000_000)}`, 'EUR')).toEqual({ ok: false, fault: 'decimals' });
  });

  test('of several errors the first in the order of the list is returned', () => {
    expect(parseAmount('1e3', 'XXX')).toEqual({ ok: false, fault: 'format' });
    expect(parseAmount('1000000000000000.001', 'XXX')).toEqual({ ok: false, fault: 'currency' });
    expect(parseAmount('1000000000000000.001', 'EUR')).toEqual({ ok: false, fault: 'range' });
  });
});

describe('formatAmount', () => {
  test.each([
    [0n, 'EUR', '0.00'],
    [5n, 'EUR', '0.05'],
    [8450n, 'EUR', '84.50'],
    [1200n, 'JPY', '1200'],
    [5n, 'KWD', '0.005'],
    [12345n, 'CLF', '1.2345'],
    [-5n, 'EUR', '-0.05'],
    [-1200n, 'JPY', '-1200'],
  ])('%s %s is %s', (amount, code, text) => {
    expect(formatAmount(amount, code)).toBe(text);
  });

  test('an unknown currency throws', () => {
    expect(() => formatAmount(1n, 'XXX')).toThrow(RangeError);
    expect(() => formatAmount(1n, 'toString')).toThrow(RangeError);
  });
});

test.each([
  ['733112.60', '733,112.60'],
  ['18400', '18,400'],
  ['0.00', '0.00'],
  [1_000_000, '1,000,000'],
])('%s is grouped', (number, text) => expect(grouped(number)).toBe(text));
