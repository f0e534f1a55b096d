import { expect, it } from 'vitest';
import { isWholeNumber } from './line.ts';

// A number that could go on must not move the focus away from the payer's next digit.
it.each([
  ['a Visa of 16 digits', '4111 1111 1111 1111', true],
  ['the first 13 digits of a Visa', '4111 1111 1111 1', false],
  ['a Visa of 19 digits', '4111 1111 1111 1111 110', true],
  ['American Express', '3782 822463 10005', true],
  ['a Diners Club card of 14 digits, which may have 16', '3056 930902 5904', false],
  ['a UnionPay card of 16 digits, which may have 19', '6200 0000 0000 0005', false],
  ['a UnionPay card of 19 digits', '6205 5000 0000 0000 004', true],
  ['a number of no known scheme', '9999 9999 9999 9995', false],
])('%s', (_what, number, isWhole) => {
  expect(isWholeNumber(number)).toBe(isWhole);
});
