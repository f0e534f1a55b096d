import { expect, test } from 'vitest';
import { declineClasses, declineClassOf } from './declines';

test('a class that a provider names is taken', () => {
  for (const name of declineClasses) expect(declineClassOf(name)).toBe(name);
});

test.each([undefined, null, '', 'unknown', 'FUNDS', 7, {}])('%j claims no more than that the bank said no', (named) => {
  expect(declineClassOf(named)).toBe('bank');
});
