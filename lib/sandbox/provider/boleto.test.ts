import { expect, test } from 'vitest';
import { luhn } from '../../core/cards.ts';
import { boletoOf, digitableLine } from './boleto.ts';

test('the digitable line of a barcode', () => {
  expect(digitableLine('34196166700000123451101234567880057123457000')).toBe(
    '34191.10121 34567.880058 71234.570001 6 16670000012345',
  );
});

test('a boleto has 44 digits with the amount, and a check digit in the fifth place', () => {
  const { barcode, line } = boletoOf(8450n, 'k');
  expect(barcode).toMatch(/^0009\d00000000008450\d{25}$/);
  expect(line).toMatch(/^0009\d\.\d{5} \d{5}\.\d{6} \d{5}\.\d{6} \d 00000000008450$/);
  expect(line.split(' ')[3]).toBe(barcode[4]);
  expect(boletoOf(8450n, 'k')).toEqual({ barcode, line });
  expect(boletoOf(8450n, 'other').barcode).not.toBe(barcode);
});

test('an amount of more than ten digits is not in the barcode', () => {
  expect(boletoOf(10n ** 10n, 'k').barcode).toMatch(/^0009\d0000000000000/);
});

test('the check digits are those of FEBRABAN', () => {
  for (let seed = 0; seed < 100; seed += 1) {
    const { barcode, line } = boletoOf(8450n, String(seed));
    const check = Number(barcode[4]);
    const others = [...`${barcode.slice(0, 4)}${barcode.slice(5)}`].reverse();
    const rest = others.reduce((sum, digit, place) => sum + Number(digit) * (2 + (place % 8)), 0) % 11;
    expect(rest > 1 ? (rest + check) % 11 : check - 1).toBe(0);
    for (const part of line.split(' ').slice(0, 3)) expect(luhn(part.replace('.', ''))).toBe(true);
  }
});
