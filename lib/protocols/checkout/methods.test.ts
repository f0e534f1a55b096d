import { expect, test } from 'vitest';
import { storedParameters } from './methods.ts';

test('parameters cannot be taken for encrypted ones, which a key rotation reads', async () => {
  const payment = { id: 'p', merchantId: 'm', operation: 'credit' } as const;
  const sent = { 'card:sealed': [], 'x:sealed': { AAEA: 'AAAA' }, note: 'kept' };
  expect(await storedParameters(sent, payment)).toEqual({ note: 'kept' });
  const withCard = await storedParameters({ ...sent, card: { own: 'kept' } }, payment);
  expect(withCard).toEqual({ note: 'kept', card: { own: 'kept' }, 'card:sealed': null });
});
