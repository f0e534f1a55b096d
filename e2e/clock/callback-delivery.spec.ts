// The retry schedule of callbacks over three days, the delay of later callbacks behind a failed one, and the pause of
// deliveries to an address that does not answer (protocol.md 7).

import { demoPassword, people, signInOverHttp, visitor } from '../support/dashboard.ts';
import { type Merchant, merchantClient, newOrderNumber } from '../support/merchant.ts';
import { cards, startPayer } from '../support/payer.ts';
import { expectCallbacks, pay } from '../support/payment-flows.ts';
import { type Delivery, messagesOf, startShopServer } from '../support/shop-server.ts';
import { expect, test } from '../support/test.ts';

const declined = { number: '4000 0000 0000 0002', expiry: '12/30' };

/** Seconds from each attempt to the next. */
const plan = [5, 30, 120, 600, 1800, 3600, 7200, 18_000, 36_000, 36_000, 72_000, 86_400];

test('thirteen attempts by the retry schedule, then none', async ({ shop, shopServer, clock }) => {
  const number = newOrderNumber();
  shopServer.answer(number, { status: 500 });
  await pay(shop, cards.settled, { order: { number } });
  await shopServer.waitFor(number, (all) => all.length === 1);
  for (const [made, seconds] of plan.entries()) {
    // The first interval is too short to test: the server's own clock runs meanwhile.
    if (seconds > 5) {
      await clock.advance(Math.floor(seconds * 0.9) - 5);
      expect(shopServer.arrived(number), `${made + 1} attempts before ${seconds} s`).toHaveLength(made + 1);
    }
    await clock.advance(Math.ceil(seconds * 0.2) + 8);
    const all = await shopServer.waitFor(number, (list) => list.length >= made + 2);
    expect(all).toHaveLength(made + 2);
  }
  expect(messagesOf(shopServer.arrived(number))).toHaveLength(1);
  await clock.advance(30 * 86_400);
  expect(shopServer.arrived(number)).toHaveLength(13);
});

/** The messages of an order in the order of their first arrival, by the status that they report. */
const statesOf = (all: Delivery[]) => messagesOf(all).map(({ fields }) => fields.order_status);

test('a failed callback delays the later one of its payment by one minute, and follows the retry schedule', async ({
  shop,
  shopServer,
  clock,
  florin,
}) => {
  const number = newOrderNumber();
  shopServer.answer(number, ({ fields }) => ({ status: fields.status === 'fail' ? 403 : 200 }));
  const { url, order } = await shop.open({ order: { number } });
  const payer = startPayer(florin);
  await payer.pay(url, declined);
  await shopServer.waitFor(number, (all) => all.length === 1);
  await payer.pay(url, cards.settled);
  await clock.advance(40);
  expect(statesOf(shopServer.arrived(number))).toEqual(['decline']);
  expect(shopServer.arrived(number).length, 'attempts of the failed callback').toBeGreaterThan(1);
  await clock.advance(25);
  const [, success] = await expectCallbacks(shop, order, ['fail sale decline', 'success sale settled']);
  // The later callback comes once; the failed one is retried to the end of its schedule, unchanged.
  for (const seconds of plan.slice(1)) await clock.advance(Math.ceil(seconds * 1.1) + 5);
  const failed = shopServer.arrived(number).filter(({ fields }) => fields.status === 'fail');
  expect(failed).toHaveLength(13);
  expect(new Set(failed.map(({ body }) => body)).size).toBe(1);
  expect(shopServer.arrived(number)).toHaveLength(14);
  expect(success?.sequence).toBeGreaterThan(failed[0]?.sequence ?? Number.POSITIVE_INFINITY);
});

test('three failed callbacks delay a later one no longer than one does, and first attempts keep their order', async ({
  shop,
  shopServer,
  clock,
  florin,
}) => {
  const number = newOrderNumber();
  shopServer.answer(number, ({ fields }) => ({ status: fields.status === 'fail' ? 500 : 200 }));
  const { url } = await shop.open({ order: { number } });
  const payer = startPayer(florin);
  for (let count = 1; count <= 3; count += 1) await payer.pay(url, declined);
  await payer.pay(url, cards.settled);
  await shopServer.waitFor(number, (all) => all.length >= 1);
  await clock.advance(40);
  expect(statesOf(shopServer.arrived(number))).toEqual(['decline']);
  await clock.advance(25);
  const all = await shopServer.waitFor(number, (list) => messagesOf(list).length === 4);
  expect(statesOf(all)).toEqual(['decline', 'decline', 'decline', 'settled']);
  const order = messagesOf(all).map(({ sequence }) => sequence);
  expect(order).toEqual([...order].sort((one, other) => one - other));
});

test('timeouts of one merchant pause no deliveries of another at the same address', async ({ florin, as, clock }) => {
  const platform = await startShopServer();
  try {
    const [slow, quick] = [as('plain'), as('other')].map(({ credentials }) =>
      merchantClient(florin, credentials, platform),
    ) as [Merchant, Merchant];
    const numbers = Array.from({ length: 5 }, newOrderNumber);
    for (const number of numbers) platform.answer(number, { hang: true }, { status: 200 });
    await Promise.all(numbers.map((number) => pay(slow, cards.settled, { order: { number } })));
    await Promise.all(numbers.map((number) => platform.waitFor(number, (all) => all.length >= 1)));
    // Each attempt times out after ten seconds.
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    await expectCallbacks(quick, (await pay(quick)).order, ['success sale settled']);
    const { order } = await pay(slow);
    await clock.advance(60);
    for (const number of [...numbers, order.number]) {
      expect(platform.arrived(number)).toHaveLength(number === order.number ? 0 : 1);
    }
    // The dashboard shows the pause and its end.
    const { cookie } = await signInOverHttp(florin, people.operator, demoPassword());
    const { body } = await visitor(florin, cookie).get(`/callbacks?q=${order.number}`);
    const remaining = (Date.parse(body.rows[0].pausedUntil) - (await clock.now()).getTime()) / 60_000;
    expect(remaining).toBeGreaterThan(13);
    expect(remaining).toBeLessThan(15);
    expect(body.rows[0].nextTry).toBe(body.rows[0].pausedUntil);
    await clock.advance(15 * 60);
    await expectCallbacks(slow, order, ['success sale settled']);
    for (const number of numbers) await platform.waitFor(number, (all) => all.length >= 2);
  } finally {
    await platform.close();
  }
});

test('an address that times out five times is paused for 15 minutes and loses no callback', async ({
  as,
  clock,
  florin,
}) => {
  const shopServer = await startShopServer();
  const other = await startShopServer();
  try {
    const { credentials } = as('plain');
    const shop = merchantClient(florin, credentials, shopServer);
    const numbers = Array.from({ length: 6 }, newOrderNumber);
    for (const number of numbers) shopServer.answer(number, { hang: true }, { status: 200 });
    // Each attempt times out after ten seconds.
    await Promise.all(numbers.slice(0, 5).map((number) => pay(shop, cards.settled, { order: { number } })));
    await Promise.all(numbers.slice(0, 5).map((number) => shopServer.waitFor(number, (all) => all.length >= 1)));
    await new Promise((resolve) => setTimeout(resolve, 11_000));
    const last = numbers[5] ?? '';
    shopServer.answer(last, { status: 200 });
    const { order } = await pay(shop, cards.settled, { order: { number: last } });
    await clock.advance(60);
    await clock.advance(10 * 60);
    for (const number of numbers) expect(shopServer.arrived(number)).toHaveLength(number === last ? 0 : 1);
    // Other addresses are not paused.
    const elsewhere = merchantClient(florin, credentials, other);
    await expectCallbacks(elsewhere, (await pay(elsewhere)).order, ['success sale settled']);
    await clock.advance(6 * 60);
    await expectCallbacks(shop, order, ['success sale settled']);
    for (const number of numbers.slice(0, 5)) {
      const all = await shopServer.waitFor(number, (list) => list.length >= 2);
      expect(messagesOf(all)).toHaveLength(1);
    }
  } finally {
    await shopServer.close();
    await other.close();
  }
});
