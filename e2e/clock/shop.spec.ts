// The demo shop forgets: what was tried in the sandbox is not kept for longer than a day.
import { expect, test } from '../support/test';

test('an order of the demo shop is gone after a day', async ({ request, clock, florin }) => {
  const order = { item: 'bowls', amount: '84.50', currency: 'EUR' };
  const placed = await request.post(`${florin}/sandbox/shop/orders`, { data: order });
  const { id } = await placed.json();
  const look = async () => (await request.get(`${florin}/sandbox/shop/orders/${id}`)).status();
  await clock.advance(23 * 3600);
  expect(await look()).toBe(200);
  await clock.advance(2 * 3600);
  expect(await look()).toBe(404);
  expect((await request.get(`${florin}/shop/${id}`)).status()).toBe(404);
});
