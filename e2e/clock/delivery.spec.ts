// The plan by which callbacks are tried again, over three days, and the rest of an address that never answers
// (protocol.md 7).
import { messagesOf, startCatcher } from '../support/catcher';
import { expectCallbacks, hold, pay } from '../support/flows';
import { merchantClient, newOrderNumber } from '../support/merchant';
import { cards } from '../support/payer';
import { expect, test } from '../support/test';

/** Seconds from each attempt to the next. */
const plan = [5, 30, 120, 600, 1800, 3600, 7200, 18_000, 36_000, 36_000, 72_000, 86_400];

test('thirteen attempts by the plan, then none', async ({ shop, catcher, clock }) => {
  const number = newOrderNumber();
  catcher.answer(number, { status: 500 });
  await pay(shop, cards.settled, { order: { number } });
  await catcher.waitFor(number, (all) => all.length === 1);
  for (const [made, seconds] of plan.entries()) {
    // The first gap is too short to look into: the server's own clock goes on meanwhile.
    if (seconds > 5) {
      await clock.advance(Math.floor(seconds * 0.9) - 5);
      expect(catcher.arrived(number), `${made + 1} attempts before ${seconds} s`).toHaveLength(made + 1);
    }
    await clock.advance(Math.ceil(seconds * 0.2) + 8);
    const all = await catcher.waitFor(number, (list) => list.length >= made + 2);
    expect(all).toHaveLength(made + 2);
  }
  expect(messagesOf(catcher.arrived(number))).toHaveLength(1);
  await clock.advance(30 * 86_400);
  expect(catcher.arrived(number)).toHaveLength(13);
});

test('a failed callback lets the later ones of its payment go', async ({ shop, catcher, clock }) => {
  const number = newOrderNumber();
  catcher.answer(number, ...Array(13).fill({ status: 500 }), { status: 200 });
  const { id } = await hold(shop, cards.settled, { order: { number } });
  await shop.void(id);
  for (const seconds of [0, ...plan]) await clock.advance(Math.ceil(seconds * 1.1) + 5);
  const all = await catcher.waitFor(number, (list) => list.length >= 14);
  expect(all.slice(0, 13).every(({ fields }) => fields.order_status === 'pending')).toBe(true);
  expect(all[13]?.fields.order_status).toBe('reversal');
});

test('an address that times out five times rests for 15 minutes and loses nothing', async ({ as, clock, florin }) => {
  test.setTimeout(90_000);
  const catcher = await startCatcher();
  const other = await startCatcher();
  try {
    const { credentials } = as('plain');
    const shop = merchantClient(florin, credentials, catcher);
    const numbers = Array.from({ length: 6 }, newOrderNumber);
    for (const number of numbers) catcher.answer(number, { hang: true }, { status: 200 });
    // Each attempt is given up after ten seconds.
    await Promise.all(numbers.slice(0, 5).map((number) => pay(shop, cards.settled, { order: { number } })));
    await Promise.all(numbers.slice(0, 5).map((number) => catcher.waitFor(number, (all) => all.length >= 1)));
    await new Promise((wake) => setTimeout(wake, 11_000));
    const last = numbers[5] ?? '';
    catcher.answer(last, { status: 200 });
    const { order } = await pay(shop, cards.settled, { order: { number: last } });
    await clock.advance(60);
    await clock.advance(10 * 60);
    for (const number of numbers) expect(catcher.arrived(number)).toHaveLength(number === last ? 0 : 1);
    // Another address does not rest.
    const elsewhere = merchantClient(florin, credentials, other);
    await expectCallbacks(elsewhere, (await pay(elsewhere)).order, ['success sale settled']);
    await clock.advance(6 * 60);
    await expectCallbacks(shop, order, ['success sale settled']);
    for (const number of numbers.slice(0, 5)) {
      const all = await catcher.waitFor(number, (list) => list.length >= 2);
      expect(messagesOf(all)).toHaveLength(1);
    }
  } finally {
    await catcher.close();
    await other.close();
  }
});
