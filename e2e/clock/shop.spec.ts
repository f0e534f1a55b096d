// The demo shop over time: its orders are deleted after a day, except subscriptions, which exist until their last
// charge.
import { bowls, shopper } from '../support/shopper.ts';
import { expect, test } from '../support/test.ts';

test('an order of the demo shop is deleted after a day', async ({ request, clock, florin }) => {
  const order = { item: 'bowls', amount: '84.50', currency: 'EUR' };
  const placed = await request.post(`${florin}/sandbox/shop/orders`, { data: order });
  const { id } = await placed.json();
  const orderStatus = async () => (await request.get(`${florin}/sandbox/shop/orders/${id}`)).status();
  await clock.advance(23 * 3600);
  expect(await orderStatus()).toBe(200);
  await clock.advance(2 * 3600);
  expect(await orderStatus()).toBe(404);
  expect((await request.get(`${florin}/shop/${id}`)).status()).toBe(404);
});

test('a schedule charges a subscription; the shop accepts the callback, and counts it separately', async ({
  request,
  clock,
  florin,
}) => {
  const { buy, look, until } = shopper(request, florin);
  const single = await buy({ save_card: true });
  const { id } = await buy({ lines: [bowls, { product: 'bread', quantity: 2 }] });
  await clock.advance(25 * 3600);
  const charged = await until(id, ({ steps }) => steps.some(({ scheduled }) => scheduled));
  const charge = charged.steps.find(({ scheduled }) => scheduled);
  expect(charge).toMatchObject({ kind: 'callback', hashValid: true, headerValid: true });
  expect(Object.fromEntries(charge?.fields ?? [])).toMatchObject({
    action: 'RECURRING_SALE',
    status: 'SETTLED',
    order_id: `${charged.number}/1`,
    amount: '13.00',
  });
  expect(charged).toMatchObject({ state: 'settled', amount: '97.50', captured: '97.50', left: '97.50' });
  // Other orders and cards of that day are deleted.
  expect((await request.get(`${florin}/sandbox/shop/orders/${single.id}`)).status()).toBe(404);
  expect(await (await request.get(`${florin}/shop`)).text()).not.toContain('Saved card');
  // Each day's charge is reported before the clock moves to the next day; a jump of several days would skip charges, as
  // after an outage.
  for (let charges = 2; charges <= 7; charges += 1) {
    await clock.advance(24 * 3600);
    await until(id, ({ steps }) => steps.filter(({ scheduled }) => scheduled).length === charges);
  }
  await clock.advance(2 * 24 * 3600);
  const order = await look(id);
  expect(order.steps.filter(({ scheduled }) => scheduled)).toHaveLength(7);
  expect(order.captured).toBe('97.50');
  await clock.advance(48 * 3600);
  expect((await look(id)) as object).toHaveProperty('error');
});
