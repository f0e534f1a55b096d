import { expect, it } from 'vitest';
import { firstOfEachPayment, shareCardIds } from './insert.ts';

it('keeps the first of two items for one payment', () => {
  const items = [
    { id: 'a', status: 'fail' },
    { id: 'b', status: 'fail' },
    { id: 'a', status: 'success' },
  ];
  const kept = firstOfEachPayment(items, ({ id }) => id);
  expect(kept.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([items[0], items[1]]);
});

it('gives the rows of one card the id and the number that is sealed for it', () => {
  const row = (merchantId: string, fingerprint: string | undefined, cardId: string) => ({
    merchantId,
    fingerprint: fingerprint === undefined ? undefined : Buffer.from(fingerprint),
    cardId,
    sealed: Buffer.from(`sealed for ${cardId}`),
  });
  const rows = [row('m', 'f', 'one'), row('m', 'f', 'two'), row('n', 'f', 'three'), row('m', undefined, 'four')];
  shareCardIds(rows);
  expect(rows.map(({ cardId }) => cardId)).toEqual(['one', 'one', 'three', 'four']);
  for (const { cardId, sealed } of rows) expect(String(sealed)).toBe(`sealed for ${cardId}`);
});
