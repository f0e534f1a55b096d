// Order numbers after the 15 seconds: the mapping decides whether a number may be used again (protocol.md 8).

import { cards, startPayer } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';

const duplicate = '400 order_id: Duplicate payment.';

test('the window lasts 15 seconds', async ({ shop, clock }) => {
  const first = await shop.open();
  await clock.advance(13);
  expect((await shop.post('/api/v1/session', first.body)).body.redirect_url).toBe(first.url);
  await clock.advance(3);
  const again = await shop.post('/api/v1/session', first.body);
  expect(again.status).toBe(200);
  expect(again.body.redirect_url).not.toBe(first.url);
});

// The state of the first payment, the mapping, and whether the number may be used again.
const rules = [
  ['plain', 'has no attempt', 'accepted'],
  ['plain', 'declined', 'accepted'],
  ['plain', 'settled', duplicate],
  ['plain', 'authorised', duplicate],
  ['plain', 'at the bank', duplicate],
  ['neverReuses', 'has no attempt', 'accepted'],
  ['neverReuses', 'declined', duplicate],
  ['neverReuses', 'settled', duplicate],
  ['alwaysReuses', 'has no attempt', 'accepted'],
  ['alwaysReuses', 'declined', 'accepted'],
  ['alwaysReuses', 'settled', 'accepted'],
] as const;

for (const [name, state, expected] of rules) {
  test(`${name}: an order that ${state === 'has no attempt' ? state : `is ${state}`}`, async ({ as, clock }) => {
    const shop = as(name);
    const { order } =
      state === 'has no attempt'
        ? await shop.open()
        : state === 'at the bank'
          ? await pay(shop, cards.challenge, {}, 'stay')
          : await pay(shop, state === 'declined' ? cards.declined : cards.settled, { auth: state === 'authorised' });
    await clock.advance(20);
    const { status, body } = await shop.session({ order: { ...order, amount: '12.00' } });
    expect(status === 200 ? 'accepted' : `${status} ${body.error_message}`).toBe(expected);
  });
}

test('a lookup by order lists the payments of a number, newest first', async ({ as, clock }) => {
  const shop = as('alwaysReuses');
  const ids: string[] = [];
  let { order, id } = await pay(shop);
  ids.unshift(id);
  for (let round = 0; round < 2; round += 1) {
    await clock.advance(20);
    ({ order, id } = await pay(shop, cards.settled, { order }));
    ids.unshift(id);
  }
  const listed = async (size: string) =>
    (await shop.statusByOrder(order.number, size)).body.map((each: { payment_id: string }) => each.payment_id);
  expect(await listed('100')).toEqual(ids);
  expect(await listed('2')).toEqual(ids.slice(0, 2));
  expect(await listed('1')).toEqual(ids.slice(0, 1));
  expect((await shop.statusByOrder(order.number)).body.payment_id).toBe(ids[0]);
});

test('the link of a replaced session can no longer pay', async ({ shop, clock, provider }) => {
  const first = await shop.open();
  const payer = startPayer(shop.baseUrl);
  const form = await payer.visit(first.url);
  await clock.advance(20);
  const second = await shop.open({ order: first.order });
  expect(second.url).not.toBe(first.url);
  await payer.payOn(form, cards.settled);
  expect(await provider.moved(first.order.number)).toEqual([]);
  await startPayer(shop.baseUrl).pay(second.url, cards.settled);
  expect(await provider.moved(first.order.number)).toEqual(['sale 84.50']);
});
