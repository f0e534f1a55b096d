import { expect, it } from 'vitest';
import { ambiguousAmount, plainAmount } from './typed-amount.ts';

it.each([
  ['10.50', '10.50'],
  ['10,50', '10.50'],
  ['1,5', '1.5'],
  ['5000', '5000'],
  ['5,000.00', '5000.00'],
  ['5.000,00', '5000.00'],
  ['1,234,567', '1234567'],
  ['1.234.567', '1234567'],
  ['1.234.567,89', '1234567.89'],
  ['0,500', '0.500'],
  ['5.000', '5.000'],
  ['5,000', null],
  [' 12 ', '12'],
  ['much', 'much'],
  ['', ''],
])('%j is %j', (typed, plain) => {
  expect(plainAmount(typed)).toBe(plain);
});

it('offers both readings of an ambiguous amount', () => {
  expect(ambiguousAmount('5,000')).toBe('5,000 can be read in two ways. Enter 5000, or 5.00.');
});
