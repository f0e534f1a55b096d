import { expect, it } from 'vitest';
import { firstOfEachPayment } from './insert.ts';

it('keeps the first of two items for one payment', () => {
  const items = [
    { id: 'a', status: 'fail' },
    { id: 'b', status: 'fail' },
    { id: 'a', status: 'success' },
  ];
  const kept = firstOfEachPayment(items, ({ id }) => id);
  expect(kept.toSorted((one, other) => one.id.localeCompare(other.id))).toEqual([items[0], items[1]]);
});
