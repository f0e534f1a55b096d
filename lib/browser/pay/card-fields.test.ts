import { describe, expect, it } from 'vitest';
import { expiryText } from './card-fields.ts';

describe('the expiry field during typing', () => {
  it.each([
    ['', ''],
    ['0', '0'],
    ['1', '1'],
    ['5', '05 / '],
    ['12', '12 / '],
    ['1/', '01 / '],
    ['05 / 3', '05 / 3'],
    ['0538', '05 / 38'],
    ['05/38', '05 / 38'],
    ['05/2038', '05 / 38'],
    ['052038', '05 / 38'],
    ['05 / 20', '05 / 20'],
    ['05 / 203', '05 / 203'],
    ['05 / 381', '05 / 38'],
    ['5/2038', '05 / 38'],
    ['05 / 2038', '05 / 38'],
    ['2038-05', '05 / 38'],
    ['٠٥٣٨', '05 / 38'],
    ['۰۵ / ۳۸', '05 / 38'],
    ['05 / 389', '05 / 38'],
    ['ab', ''],
  ])('%j becomes %j', (typed, shown) => {
    expect(expiryText(typed, false)).toBe(shown);
  });

  it.each([
    ['05 / ', '05'],
    ['05 /', '05'],
    ['05', '05'],
    ['0', '0'],
    ['05 / 3', '05 / 3'],
  ])('deleting to %j leaves %j', (typed, shown) => {
    expect(expiryText(typed, true)).toBe(shown);
  });
});
