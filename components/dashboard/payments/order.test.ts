import { expect, test } from 'vitest';
import { orderOf, orderParam } from './order.ts';

test.each([
  ['', 'newest', false],
  ['sort=oldest', 'oldest', false],
  ['sort=largest&currency=EUR', 'largest', false],
  ['sort=smallest&currency=EUR', 'smallest', false],
  ['sort=largest', 'newest', true],
  ['sort=smallest&currency=EUR%2CUSD', 'newest', true],
  ['sort=oldest&currency=EUR', 'oldest', false],
  ['sort=dearest&currency=EUR', 'newest', false],
])('%s is %s', (query, order, waits) => {
  expect(orderOf(new URLSearchParams(query))).toEqual({ order, waits });
});

test('the default order is not part of the URL', () => {
  expect([orderParam('newest'), orderParam('oldest'), orderParam('largest')]).toEqual([null, 'oldest', 'largest']);
});
