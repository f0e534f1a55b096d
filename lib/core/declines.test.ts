import { expect, test } from 'vitest';
import { declineClasses, declineClassOf } from './declines.ts';

test('a class from a provider is used', () => {
  for (const name of declineClasses) expect(declineClassOf(name)).toBe(name);
});

test.each([undefined, null, '', 'unknown', 'FUNDS', 7, {}])('%j becomes the class bank', (named) => {
  expect(declineClassOf(named)).toBe('bank');
});
