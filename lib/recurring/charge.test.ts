import { expect, it } from 'vitest';
import { ApiError, type ErrorKey } from '../core/errors.ts';
import { isRejectedCharge } from './charge.ts';

it.each<[ErrorKey, boolean]>([
  ['duplicatePayment', true],
  ['mappingMissing', true],
  ['clockWrong', false],
])('a charge that ends with %s counts as an attempt of its slot: %s', (key, isCounted) => {
  expect(isRejectedCharge(new ApiError(key))).toBe(isCounted);
});

it('a charge that ends with an error of the service does not count', () => {
  expect(isRejectedCharge(new Error('the database is down'))).toBe(false);
});
