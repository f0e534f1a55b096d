import { describe, expect, it } from 'vitest';
import { minorOf } from './filters.ts';

describe('a bound of an amount', () => {
  it.each([
    ['15', 2, 'up', 1500n],
    ['15.5', 2, 'up', 1550n],
    ['15.505', 2, 'up', 1551n],
    ['15.505', 2, 'down', 1550n],
    ['15.500', 2, 'up', 1550n],
    ['15.5', 0, 'up', 16n],
    ['15.5', 0, 'down', 15n],
    ['0.001', 3, 'up', 1n],
    ['999999999999999', 8, 'up', 2n ** 63n - 1n],
  ] as const)('%s with %i decimals, %s: %s', (text, exponent, rounded, wanted) => {
    expect(minorOf(text, exponent, rounded)).toBe(wanted);
  });

  it('is limited to digits', () => {
    expect(() => minorOf('1e3', 2, 'up')).toThrow('digits');
  });
});
