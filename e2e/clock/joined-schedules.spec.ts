// Recurring series that a later charge puts on a schedule: payment/recurring with schedule_id (interface.md, Checkout
// session request; protocol.md 3 and 5). Later payments are counted from that charge and belong to its order.
import type { CardMerchant } from '../support/card-merchant.ts';
import type { Clock } from '../support/clock.ts';
import { type Changes, type Merchant, newOrderNumber } from '../support/merchant.ts';
import { cards } from '../support/payer.ts';
import { callbacksOf, pay } from '../support/payment-flows.ts';
import { messagesOf } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const day = 24 * 3600;

type Chain = { firstTransId: string; token: string };

async function begin(shop: Merchant): Promise<Chain> {
  const { order } = await pay(shop, cards.settled, { recurring_init: true });
  const fields = (await callbacksOf(shop, order, 1)).at(-1)?.fields ?? {};
  return { firstTransId: fields.recurring_init_trans_id ?? '', token: fields.recurring_token ?? '' };
}

const orderOf = (changes: Changes = {}) => ({
  number: newOrderNumber(),
  amount: '12.00',
  currency: 'EUR',
  description: 'The second month',
  ...changes,
});

const afterDays = (now: Date, days: number) => new Date(now.getTime() + days * day * 1000).toISOString().slice(0, 10);

/** The callbacks of an order after its own, as `/1 recurring settled 12.00 EUR`. */
async function chargesOf(shop: Merchant, { number }: { number: string }, count: number, clock: Clock) {
  const charges = () =>
    messagesOf(shop.shopServer.arrived(number)).filter(({ fields }) => fields.order_number !== number);
  for (let round = 0; charges().length < count && round < 40; round += 1) {
    await clock.tick();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await clock.tick();
  // Callbacks of different payments may arrive in any order; the charges are sorted.
  const summaries = charges().map(({ fields }) =>
    [
      fields.order_number?.slice(number.length),
      fields.type,
      fields.order_status,
      fields.order_amount,
      fields.order_currency,
    ].join(' '),
  );
  return summaries.sort();
}

test('it is charged by the schedule, counted from that charge and of its order', async ({
  shop,
  cardShop,
  clock,
  provider,
}) => {
  const chain = await begin(shop);
  const schedule_id = await scheduleOf(cardShop, { interval_length: 2, payments_count: 2 });
  await clock.advance(day);
  const order = orderOf({ currency: 'USD' });
  const expected = { schedule_id, first_recurring_date: afterDays(await clock.now(), 2) };
  const { status, body } = await shop.recurring(chain, { order, schedule_id, custom_data: { month: '2' } });
  expect([status, body]).toEqual([200, expect.objectContaining({ status: 'settled', ...expected })]);
  expect((await callbacksOf(shop, order, 1))[0]?.fields).toMatchObject({ ...expected, 'custom_data[month]': '2' });
  expect((await shop.status(body.payment_id)).body).toMatchObject(expected);

  // A repeat of the schedule has no effect: the series is on it already.
  await clock.advance(60);
  const another = orderOf({ amount: '3.00' });
  expect((await shop.recurring(chain, { order: another, schedule_id })).body).toMatchObject(expected);

  await clock.advance(2 * day);
  expect(await chargesOf(shop, order, 1, clock)).toEqual(['/1 recurring settled 12.00 USD']);
  await clock.advance(2 * day);
  const both = ['/1 recurring settled 12.00 USD', '/2 recurring settled 12.00 USD'];
  expect(await chargesOf(shop, order, 2, clock)).toEqual(both);
  await clock.advance(9 * day);
  expect(await chargesOf(shop, order, 2, clock)).toEqual(both);
  expect(await chargesOf(shop, another, 0, clock)).toEqual([]);
  const last = messagesOf(shop.shopServer.arrived(order.number)).find(({ fields }) =>
    fields.order_number?.endsWith('/2'),
  );
  expect(last?.fields).toMatchObject({
    schedule_id,
    order_description: order.description,
    'custom_data[month]': '2',
    recurring_init_trans_id: chain.firstTransId,
  });
  for (const slot of [1, 2]) expect(await provider.moved(`${order.number}/${slot}`)).toEqual(['sale 12.00']);
});

test('a declined charge or a paused schedule starts no subscription', async ({ shop, cardShop, clock }) => {
  const { order: first } = await pay(
    shop,
    { number: '4000 0000 0000 1117', expiry: '01/38' },
    { recurring_init: true },
  );
  const fields = (await callbacksOf(shop, first, 1)).at(-1)?.fields ?? {};
  const declining = { firstTransId: fields.recurring_init_trans_id ?? '', token: fields.recurring_token ?? '' };
  const schedule_id = await scheduleOf(cardShop);
  const declined = await shop.recurring(declining, { order: orderOf(), schedule_id });
  expect(declined.body).toMatchObject({ status: 'declined', schedule_id });
  expect(declined.body).not.toHaveProperty('first_recurring_date');

  await cardShop.schedule('PAUSE_SCHEDULE', { schedule_id });
  const order = orderOf();
  const paused = await shop.recurring(await begin(shop), { order, schedule_id });
  expect(paused.body).toMatchObject({ status: 'settled', schedule_id });
  expect(paused.body).not.toHaveProperty('first_recurring_date');
  await cardShop.schedule('RUN_SCHEDULE', { schedule_id });
  await clock.advance(3 * day);
  expect(await chargesOf(shop, order, 0, clock)).toEqual([]);
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id })).body.result).toBe('SUCCESS');
});

test('a series that has left a schedule joins it again, and is charged from the first slot on', async ({
  shop,
  cardShop,
  clock,
}) => {
  const chain = await begin(shop);
  const schedule_id = await scheduleOf(cardShop, { payments_count: 2 });
  const earlier = orderOf();
  await shop.recurring(chain, { order: earlier, schedule_id });
  await clock.advance(day + 60);
  expect(await chargesOf(shop, earlier, 1, clock)).toEqual(['/1 recurring settled 12.00 EUR']);
  await cardShop.schedule('DESCHEDULE', { schedule_id, recurring_token: chain.token });
  const order = orderOf({ amount: '5.00' });
  expect((await shop.recurring(chain, { order, schedule_id })).body.first_recurring_date).toBe(
    afterDays(await clock.now(), 1),
  );
  await clock.advance(day + 60);
  await clock.advance(day);
  expect(await chargesOf(shop, order, 2, clock)).toEqual([
    '/1 recurring settled 5.00 EUR',
    '/2 recurring settled 5.00 EUR',
  ]);
  expect(await chargesOf(shop, earlier, 1, clock)).toHaveLength(1);
});

test("a schedule's own charge joins no schedule, however late it settles", async ({
  shop,
  cardShop,
  clock,
  provider,
}) => {
  const chain = await begin(shop);
  const schedule_id = await scheduleOf(cardShop, { payments_count: 9 });
  const order = orderOf();
  await shop.recurring(chain, { order, schedule_id });
  await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, `${order.number}/1`);
  await clock.advance(day + 60);
  expect(await chargesOf(shop, order, 1, clock)).toEqual(['/1 recurring prepare 12.00 EUR']);
  await cardShop.schedule('DESCHEDULE', { schedule_id, recurring_token: chain.token });
  await clock.advance(120);
  const settled = ['/1 recurring prepare 12.00 EUR', '/1 recurring settled 12.00 EUR'];
  expect(await chargesOf(shop, order, 2, clock)).toEqual(settled);
  await clock.advance(3 * day);
  expect(await chargesOf(shop, order, 2, clock)).toEqual(settled);
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id })).body.result).toBe('SUCCESS');
});

async function scheduleOf(cardShop: CardMerchant, plan: Changes = {}): Promise<string> {
  const base = { name: 'Plan', interval_length: 1, interval_unit: 'day', payments_count: 3 };
  const { status, body } = await cardShop.schedule('CREATE_SCHEDULE', { ...base, ...plan });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.schedule_id;
}
