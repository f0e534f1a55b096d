// Schedules cannot burst (protocol.md 7a): not after an update of the plan, nor while a charge is in progress. The
// provider's charges are the reference.
import type { CardMerchant } from '../support/card-merchant.ts';
import type { Clock } from '../support/clock.ts';
import { sql } from '../support/database-rows.ts';
import type { Changes } from '../support/merchant.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { day, hour, schedule, subscribe } from '../support/schedules.ts';
import { daysBetween, ordersOf, pass, rowOf, runDueJobs, toNext } from '../support/subscriptions.ts';
import { expect, test } from '../support/test.ts';

const softDecline = '4000000000001117';

async function update(shop: CardMerchant, id: string, changes: Changes) {
  const { status, body } = await shop.schedule('UPDATE_SCHEDULE', { schedule_id: id, ...changes });
  expect([status, body.result], JSON.stringify(body)).toEqual([200, 'SUCCESS']);
  return body;
}

test.describe('a change of the plan charges nothing for the past', () => {
  test('monthly, six done, then daily: one a day from then on, up to the agreed number', async ({
    cardShop,
    clock,
  }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 8 });
    const sold = await subscribe(cardShop, id);
    for (let month = 1; month <= 6; month += 1) await toNext(clock, sold);
    const six = ['1', '2', '3', '4', '5', '6'];
    expect(await ordersOf(sold)).toEqual(six);
    await pass(clock, 10 * day);
    await update(cardShop, id, { interval_unit: 'day' });
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toEqual(six);
    expect(daysBetween((await clock.now()).toISOString(), (await rowOf(sold)).due)).toBeLessThanOrEqual(1);
    await pass(clock, day);
    expect(await ordersOf(sold)).toEqual([...six, '7']);
    await pass(clock, day);
    expect(await ordersOf(sold)).toEqual([...six, '7', '8']);
    await pass(clock, 3 * day);
    expect(await ordersOf(sold)).toHaveLength(8);
    expect((await rowOf(sold)).stopped).toBe('completed');
  });

  test('quarterly for a year, then monthly: the next is a month after the last', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', interval_length: 3, payments_count: 24 });
    const sold = await subscribe(cardShop, id);
    for (let quarter = 1; quarter <= 4; quarter += 1) await toNext(clock, sold);
    const last = (await clock.now()).toISOString();
    await update(cardShop, id, { interval_length: 1 });
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toHaveLength(4);
    expect(daysBetween(last, (await rowOf(sold)).due)).toBeGreaterThan(27);
    expect(daysBetween(last, (await rowOf(sold)).due)).toBeLessThan(32);
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('daily, then monthly: the next is a month after the last, not a month for each day', async ({
    cardShop,
    clock,
  }) => {
    const id = await schedule(cardShop, { payments_count: 24 });
    const sold = await subscribe(cardShop, id);
    for (let date = 1; date <= 5; date += 1) await toNext(clock, sold);
    const last = (await clock.now()).toISOString();
    await update(cardShop, id, { interval_unit: 'month' });
    expect(daysBetween(last, (await rowOf(sold)).due)).toBeGreaterThan(27);
    expect(daysBetween(last, (await rowOf(sold)).due)).toBeLessThan(63);
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toHaveLength(6);
  });

  test('repeated updates of any field charge nothing at once', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 24, day_of_month: 31 });
    const sold = await subscribe(cardShop, id);
    for (let month = 1; month <= 3; month += 1) await toNext(clock, sold);
    const changes: Changes[] = [
      { interval_unit: 'day', interval_length: 2 },
      { interval_unit: 'month', interval_length: 1 },
      { day_of_month: 5 },
      { interval_unit: 'day', interval_length: 1 },
      { payments_count: 200 },
      { interval_length: 7 },
      { interval_unit: 'month', interval_length: 1, day_of_month: 28 },
      { interval_unit: 'day' },
    ];
    for (const change of changes) {
      await update(cardShop, id, change);
      expect(Date.parse((await rowOf(sold)).due ?? '')).toBeGreaterThan((await clock.now()).getTime());
      await pass(clock, hour);
    }
    expect(await ordersOf(sold)).toHaveLength(3);
    await pass(clock, day);
    expect(await ordersOf(sold)).toHaveLength(4);
  });

  test('a change of the name or the number of payments moves no date', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 4 });
    const sold = await subscribe(cardShop, id);
    await toNext(clock, sold);
    const { due } = await rowOf(sold);
    await update(cardShop, id, { name: 'Another' });
    await update(cardShop, id, { payments_count: 9 });
    expect((await rowOf(sold)).due).toBe(due);
    await update(cardShop, id, { payments_count: 1 });
    expect(await rowOf(sold)).toMatchObject({ due: null, stopped: 'completed' });
  });

  test('of two changes at once neither is lost, and the dates are those of the plan', async ({ cardShop, clock }) => {
    const plans = await Promise.all(
      Array.from({ length: 8 }, () => schedule(cardShop, { interval_unit: 'month', payments_count: 12 })),
    );
    const all: Sold[] = [];
    for (const id of plans) all.push(await subscribe(cardShop, id));
    await pass(clock, 32 * day);
    for (const sold of all) expect(await ordersOf(sold)).toEqual(['1']);
    const changes = [{ interval_unit: 'day' }, { payments_count: '30' }, { name: 'Changed' }];
    await Promise.all(plans.flatMap((id) => changes.map((change) => update(cardShop, id, change))));
    for (const [at, id] of plans.entries()) {
      const { body } = await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id });
      expect(body).toMatchObject({ interval_unit: 'day', payments_count: '30', name: 'Changed' });
      expect(daysBetween((await clock.now()).toISOString(), (await rowOf(all[at] as Sold)).due)).toBeLessThanOrEqual(1);
    }
  });

  test('an update during a charge: the charge is made once and the next is in the future', async ({
    cardAs,
    clock,
    provider,
  }) => {
    const shop = cardAs('impatient');
    const id = await schedule(shop, { interval_unit: 'month', payments_count: 12 });
    const sold = await subscribe(shop, id);
    for (let month = 1; month <= 2; month += 1) await toNext(clock, sold);
    await provider.fault({ fault: 'hang', call: 'payment', carriedOut: true }, `${sold.orderId}/3`);
    const charging = toNext(clock, sold);
    await expect.poll(() => ordersOf(sold)).toEqual(['1', '2', '3']);
    await update(shop, id, { interval_unit: 'day' });
    await charging;
    // Once the outcome is known, the subscription advances.
    await pass(clock, hour);
    await pass(clock, hour);
    expect(await ordersOf(sold)).toEqual(['1', '2', '3']);
    expect((await rowOf(sold)).done).toBe(3);
    await pass(clock, day);
    expect(await ordersOf(sold)).toEqual(['1', '2', '3', '4']);
  });

  test('a declined charge keeps its next attempt, and the slot after it is in the future', async ({
    cardAs,
    clock,
  }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { interval_unit: 'month', payments_count: 12 });
    const sold = await subscribe(shop, id, { card_number: softDecline });
    await toNext(clock, sold);
    expect(await ordersOf(sold, 'declined')).toEqual(['1']);
    await pass(clock, hour);
    await update(shop, id, { interval_unit: 'day', interval_length: 3 });
    await runDueJobs(clock);
    expect(await ordersOf(sold, 'declined')).toEqual(['1']);
    await pass(clock, 11 * hour + 60);
    expect(await ordersOf(sold, 'declined')).toEqual(['1', '1-2']);
    await pass(clock, 12 * hour + 60);
    expect(await ordersOf(sold, 'declined')).toEqual(['1', '1-2', '1-3']);
    await pass(clock, 2 * day);
    expect(await ordersOf(sold, 'declined')).toEqual(['1', '1-2', '1-3', '2']);
  });

  test('preview=Y returns the charges of a change, and changes nothing', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 8 });
    const sold = await subscribe(cardShop, id, { payment_schedule_amount: '12.00' });
    await toNext(clock, sold);
    await pass(clock, 3 * day);
    const before = (await rowOf(sold)).due;
    const preview = await update(cardShop, id, { interval_unit: 'day', preview: 'Y' });
    expect(preview).toMatchObject({
      schedule_id: id,
      preview: 'Y',
      live_subscriptions: '1',
      ending_subscriptions: '0',
      next_charges: [{ order_id: sold.orderId, amount: '12.00', currency: 'EUR' }],
    });
    expect((await rowOf(sold)).due).toBe(before);
    expect((await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id })).body.interval_unit).toBe('month');
    const wire = (time: string | null) => (time ?? '').replace('T', ' ').slice(0, 19);
    expect(preview.next_charges[0].date_before).toBe(wire(before));
    expect(await update(cardShop, id, { interval_unit: 'day' })).toEqual({
      action: 'UPDATE_SCHEDULE',
      result: 'SUCCESS',
      schedule_id: id,
    });
    expect(wire((await rowOf(sold)).due)).toBe(preview.next_charges[0].date);
    const ending = await update(cardShop, id, { payments_count: 1, preview: 'Y' });
    expect(ending).toMatchObject({ ending_subscriptions: '1' });
    expect(ending.next_charges[0]).not.toHaveProperty('date');
  });
});

test.describe('while a charge is in progress', () => {
  async function charging(shop: CardMerchant, clock: Clock, provider: { fault: (...args: never[]) => unknown }) {
    const id = await schedule(shop, { payments_count: 3 });
    const sold = await subscribe(shop, id);
    const hang = { fault: 'hang', call: 'payment', carriedOut: true };
    await (provider.fault as (error: object, order: string) => Promise<unknown>)(hang, `${sold.orderId}/1`);
    const ended = toNext(clock, sold);
    await expect.poll(() => ordersOf(sold)).toEqual(['1']);
    return { id, sold, ended };
  }

  test('its schedule cannot be deleted; after a deschedule the charge is completed and is the last', async ({
    cardAs,
    clock,
    provider,
  }) => {
    const shop = cardAs('impatient');
    const { id, sold, ended } = await charging(shop, clock, provider);
    const rejected = await shop.schedule('DELETE_SCHEDULE', { schedule_id: id });
    expect(rejected.body.error_message).toBe('Schedule is in use.');
    await shop.schedule('DESCHEDULE', { schedule_id: id, recurring_token: sold.answer.body.recurring_token });
    expect((await shop.schedule('DELETE_SCHEDULE', { schedule_id: id })).body.result).toBe('SUCCESS');
    await ended;
    await pass(clock, 2 * hour);
    const charge = await sql("select id, state from payments where order_number = $1 || '/1'", [sold.orderId]);
    expect(charge).toMatchObject([{ state: 'settled' }]);
    await pass(clock, 3 * day);
    expect(await ordersOf(sold)).toEqual(['1']);
    expect(await rowOf(sold)).toMatchObject({ stopped: 'descheduled', due: null });
  });

  test('a pause lets it complete, and stops the following charges', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('impatient');
    const { id, sold, ended } = await charging(shop, clock, provider);
    await shop.schedule('PAUSE_SCHEDULE', { schedule_id: id });
    await ended;
    await pass(clock, 2 * day);
    expect(await ordersOf(sold)).toEqual(['1']);
    await shop.schedule('RUN_SCHEDULE', { schedule_id: id });
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toEqual(['1']);
  });

  test('an unknown outcome is neither retried nor skipped', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { payments_count: 3 });
    const sold = await subscribe(shop, id);
    const order = `${sold.orderId}/1`;
    await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, order);
    await provider.fault({ fault: 'error', call: 'status', calls: 500 }, order);
    await toNext(clock, sold);
    for (let date = 0; date < 4; date += 1) await pass(clock, day);
    expect(await rowOf(sold)).toMatchObject({ done: 0, retries: 0 });
    expect(await ordersOf(sold)).toEqual(['1']);
    // The slot has been open for four days: it is read after 2 % of that time, not every 150 seconds.
    const ahead = Date.parse((await rowOf(sold)).due ?? '') - (await clock.now()).getTime();
    expect(ahead).toBeGreaterThan(hour * 1000);
    expect(ahead).toBeLessThan(2 * hour * 1000);
    await fetch(`${shop.baseUrl}/sandbox/provider/faults?order=${encodeURIComponent(order)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${process.env.TEST_CONTROL_TOKEN}` },
    });
    await pass(clock, 2 * hour);
    await pass(clock, day);
    // The second charge happens before or after the schedule's third date: the look-up or the claim may be first.
    const orders = await ordersOf(sold);
    expect(orders).toEqual(['1', '2', '3'].slice(0, orders.length));
    expect(orders).toContain('2');
  });
});
