// Schedules cannot burst (protocol.md 7a): not after an update of the plan, an outage, a manual edit of a row or a
// wrong clock. The provider's charges are the reference.
import type { CardMerchant, Sold } from '../support/card-merchant';
import { type Clock, clockAt } from '../support/clock';
import { demoPassword, people, signInOverHttp, visitor } from '../support/dashboard';
import type { Changes } from '../support/merchant';
import { runSql } from '../support/rows';
import { day, hour, schedule, subscribe } from '../support/schedules';
import { expect, test } from '../support/test';
import { startVictim } from '../support/victim';

const softDecline = '4000000000001117';

/**
 * The charges that the provider received for a subscription: the ends of the order numbers, as `1` and `2-2`, in
 * sequence.
 */
function ordersOf({ orderId }: Sold, status = 'approved'): string[] {
  const rows = runSql(
    `select order_number as number from sim_operations
      where starts_with(order_number, $1 || '/') and kind = 'payment' and status = $2 order by created_at, order_number`,
    [orderId, status],
  );
  return rows.map(({ number }) => String(number).slice(orderId.length + 1));
}

type Row = { id: string; done: number; retries: number; due: string | null; stopped: string | null };

function rowOf({ orderId }: Sold): Row {
  const [row] = runSql(
    `select u.id, u.done, u.retries, u.due_at as due, u.stop_reason as stopped
       from subscriptions u join payments p on p.id = u.payment_id where p.order_number = $1`,
    [orderId],
  );
  return row;
}

/** Edits the row of a subscription like a manual SQL statement. */
function edit(sold: Sold, change: string, values: unknown[] = []): void {
  runSql(`update subscriptions set ${change} where id = '${rowOf(sold).id}'`, values);
}

/** Waits until the server has processed all due rows. */
async function runDueJobs(clock: Clock): Promise<void> {
  for (let round = 0; round < 12; round += 1) {
    await clock.tick();
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function pass(clock: Clock, seconds: number): Promise<void> {
  await clock.advance(seconds);
  await runDueJobs(clock);
}

/** Moves the clock to a minute after the next charge of a subscription. */
async function toNext(clock: Clock, sold: Sold): Promise<void> {
  const ahead = Date.parse(rowOf(sold).due ?? '') - (await clock.now()).getTime();
  expect(ahead, 'the next charge is in the future').toBeGreaterThan(0);
  await pass(clock, Math.ceil(ahead / 1000) + 60);
}

const daysBetween = (from: string | null, to: string | null) =>
  (Date.parse(to ?? '') - Date.parse(from ?? '')) / 86_400_000;

async function update(shop: CardMerchant, id: string, changes: Changes) {
  const { status, body } = await shop.schedule('UPDATE_SCHEDULE', { schedule_id: id, ...changes });
  expect([status, body.result], JSON.stringify(body)).toEqual([200, 'SUCCESS']);
  return body;
}

test.describe('B2: a change of the plan charges nothing for the past', () => {
  test('B2 S13: monthly, six done, then daily: one a day from then on, up to the agreed number', async ({
    cardShop,
    clock,
  }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 8 });
    const sold = await subscribe(cardShop, id);
    for (let month = 1; month <= 6; month += 1) await toNext(clock, sold);
    const six = ['1', '2', '3', '4', '5', '6'];
    expect(ordersOf(sold)).toEqual(six);
    await pass(clock, 10 * day);
    await update(cardShop, id, { interval_unit: 'day' });
    await runDueJobs(clock);
    expect(ordersOf(sold)).toEqual(six);
    expect(daysBetween((await clock.now()).toISOString(), rowOf(sold).due)).toBeLessThanOrEqual(1);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual([...six, '7']);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual([...six, '7', '8']);
    await pass(clock, 3 * day);
    expect(ordersOf(sold)).toHaveLength(8);
    expect(rowOf(sold).stopped).toBe('completed');
  });

  test('B2 S69: quarterly for a year, then monthly: the next is a month after the last', async ({
    cardShop,
    clock,
  }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', interval_length: 3, payments_count: 24 });
    const sold = await subscribe(cardShop, id);
    for (let quarter = 1; quarter <= 4; quarter += 1) await toNext(clock, sold);
    const last = (await clock.now()).toISOString();
    await update(cardShop, id, { interval_length: 1 });
    await runDueJobs(clock);
    expect(ordersOf(sold)).toHaveLength(4);
    expect(daysBetween(last, rowOf(sold).due)).toBeGreaterThan(27);
    expect(daysBetween(last, rowOf(sold).due)).toBeLessThan(32);
    await toNext(clock, sold);
    expect(ordersOf(sold)).toEqual(['1', '2', '3', '4', '5']);
  });

  test('B2: daily, then monthly: the next is a month after the last, not a month for each day', async ({
    cardShop,
    clock,
  }) => {
    const id = await schedule(cardShop, { payments_count: 24 });
    const sold = await subscribe(cardShop, id);
    for (let date = 1; date <= 5; date += 1) await toNext(clock, sold);
    const last = (await clock.now()).toISOString();
    await update(cardShop, id, { interval_unit: 'month' });
    expect(daysBetween(last, rowOf(sold).due)).toBeGreaterThan(27);
    expect(daysBetween(last, rowOf(sold).due)).toBeLessThan(63);
    await toNext(clock, sold);
    expect(ordersOf(sold)).toHaveLength(6);
  });

  test('B2: repeated updates of any field charge nothing at once', async ({ cardShop, clock }) => {
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
      expect(Date.parse(rowOf(sold).due ?? '')).toBeGreaterThan((await clock.now()).getTime());
      await pass(clock, hour);
    }
    expect(ordersOf(sold)).toHaveLength(3);
    await pass(clock, day);
    expect(ordersOf(sold)).toHaveLength(4);
  });

  test('B2: a change of the name or the number of payments moves no date', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 4 });
    const sold = await subscribe(cardShop, id);
    await toNext(clock, sold);
    const { due } = rowOf(sold);
    await update(cardShop, id, { name: 'Another' });
    await update(cardShop, id, { payments_count: 9 });
    expect(rowOf(sold).due).toBe(due);
    await update(cardShop, id, { payments_count: 1 });
    expect(rowOf(sold)).toMatchObject({ due: null, stopped: 'completed' });
  });

  test('B2: of two changes at once neither is lost, and the dates are those of the plan', async ({
    cardShop,
    clock,
  }) => {
    const plans = await Promise.all(
      Array.from({ length: 8 }, () => schedule(cardShop, { interval_unit: 'month', payments_count: 12 })),
    );
    const all: Sold[] = [];
    for (const id of plans) all.push(await subscribe(cardShop, id));
    await pass(clock, 32 * day);
    for (const sold of all) expect(ordersOf(sold)).toEqual(['1']);
    const changes = [{ interval_unit: 'day' }, { payments_count: '30' }, { name: 'Changed' }];
    await Promise.all(plans.flatMap((id) => changes.map((change) => update(cardShop, id, change))));
    for (const [at, id] of plans.entries()) {
      const { body } = await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id });
      expect(body).toMatchObject({ interval_unit: 'day', payments_count: '30', name: 'Changed' });
      expect(daysBetween((await clock.now()).toISOString(), rowOf(all[at] as Sold).due)).toBeLessThanOrEqual(1);
    }
  });

  test('B2: an update during a charge: the charge is made once and the next is in the future', async ({
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
    expect(ordersOf(sold)).toEqual(['1', '2', '3']);
    expect(rowOf(sold).done).toBe(3);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual(['1', '2', '3', '4']);
  });

  test('B2: a declined charge keeps its next attempt, and the slot after it is in the future', async ({
    cardAs,
    clock,
  }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { interval_unit: 'month', payments_count: 12 });
    const sold = await subscribe(shop, id, { card_number: softDecline });
    await toNext(clock, sold);
    expect(ordersOf(sold, 'declined')).toEqual(['1']);
    await pass(clock, hour);
    await update(shop, id, { interval_unit: 'day', interval_length: 3 });
    await runDueJobs(clock);
    expect(ordersOf(sold, 'declined')).toEqual(['1']);
    await pass(clock, 11 * hour + 60);
    expect(ordersOf(sold, 'declined')).toEqual(['1', '1-2']);
    await pass(clock, 12 * hour + 60);
    expect(ordersOf(sold, 'declined')).toEqual(['1', '1-2', '1-3']);
    await pass(clock, 2 * day);
    expect(ordersOf(sold, 'declined')).toEqual(['1', '1-2', '1-3', '2']);
  });

  test('B2: preview=Y returns the charges of a change, and changes nothing', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 8 });
    const sold = await subscribe(cardShop, id, { payment_schedule_amount: '12.00' });
    await toNext(clock, sold);
    await pass(clock, 3 * day);
    const before = rowOf(sold).due;
    const preview = await update(cardShop, id, { interval_unit: 'day', preview: 'Y' });
    expect(preview).toMatchObject({
      schedule_id: id,
      preview: 'Y',
      live_subscriptions: '1',
      ending_subscriptions: '0',
      next_charges: [{ order_id: sold.orderId, amount: '12.00', currency: 'EUR' }],
    });
    expect(rowOf(sold).due).toBe(before);
    expect((await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id })).body.interval_unit).toBe('month');
    const wire = (time: string | null) => (time ?? '').replace('T', ' ').slice(0, 19);
    expect(preview.next_charges[0].date_before).toBe(wire(before));
    expect(await update(cardShop, id, { interval_unit: 'day' })).toEqual({
      ...{ action: 'UPDATE_SCHEDULE', result: 'SUCCESS', schedule_id: id },
    });
    expect(wire(rowOf(sold).due)).toBe(preview.next_charges[0].date);
    const ending = await update(cardShop, id, { payments_count: 1, preview: 'Y' });
    expect(ending).toMatchObject({ ending_subscriptions: '1' });
    expect(ending.next_charges[0]).not.toHaveProperty('date');
  });
});

/** The schedule as the dashboard shows it to the platform's users. */
async function pageOf(florin: string, id: string) {
  const { status, cookie } = await signInOverHttp(florin, people.manager, demoPassword());
  expect(status).toBe(200);
  return (await visitor(florin, cookie).get(`/schedules/${id}`)).body;
}

test.describe('M9: after an outage', () => {
  // Five dates and two hours pass without a server.
  const afterOutage = 5 * day + 2 * hour;

  test('M9 S14: one, the latest, is charged by default, and the next on its date', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { payments_count: 10 });
    const sold = await subscribe(cardShop, id);
    await pass(clock, afterOutage);
    expect(ordersOf(sold)).toEqual(['1']);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual(['1', '2']);
    expect(rowOf(sold).done).toBe(2);
  });

  test('M9 S14: none, if the mapping says so', async ({ cardAs, clock }) => {
    const shop = cardAs('noneMissed');
    const sold = await subscribe(shop, await schedule(shop, { payments_count: 10 }));
    await pass(clock, afterOutage);
    expect(ordersOf(sold)).toEqual([]);
    await toNext(clock, sold);
    expect(ordersOf(sold)).toEqual(['1']);
  });

  test('M9 S14: all, if the mapping says so, an hour after the dashboard has shown them', async ({
    florin,
    cardAs,
    clock,
  }) => {
    const shop = cardAs('allMissed');
    const id = await schedule(shop, { payments_count: 10 });
    const sold = await subscribe(shop, id);
    await pass(clock, afterOutage);
    expect(ordersOf(sold)).toEqual([]);
    const { missed } = await pageOf(florin, id);
    expect(missed).toMatchObject({ slots: 5, charged: 5, subscriptions: 1 });
    expect(missed.from).toBe(new Date(rowOf(sold).due ?? '').toISOString());
    await pass(clock, hour + 60);
    expect(ordersOf(sold)).toEqual(['1', '2', '3', '4', '5']);
    expect((await pageOf(florin, id)).missed).toBeNull();
    await pass(clock, day);
    expect(ordersOf(sold)).toHaveLength(6);
  });

  test('M9: a jump of a year charges every subscription once', async ({ cardShop, clock }) => {
    const plans = [
      { interval_unit: 'month', payments_count: 24 },
      { interval_unit: 'day', payments_count: 900 },
      { interval_unit: 'day', interval_length: 7, payments_count: 90 },
    ];
    const chains: Sold[] = [];
    for (const plan of plans) chains.push(await subscribe(cardShop, await schedule(cardShop, plan)));
    await pass(clock, 366 * day);
    for (const sold of chains) expect(ordersOf(sold)).toEqual(['1']);
  });

  test('M9: missed slots are logged in one line with their dates', async ({ cardShop }) => {
    const sold = await subscribe(cardShop, await schedule(cardShop, { payments_count: 10 }));
    const { id, due } = rowOf(sold);
    const late = await startVictim({ LOG_LEVEL: 'warn' });
    const clock = clockAt(late.url);
    await clock.advance(Math.ceil((Date.parse(due ?? '') - (await clock.now()).getTime()) / 1000) + 2 * day + 2 * hour);
    await runDueJobs(clock);
    await late.end();
    const lines = late
      .output()
      .split('\n')
      .filter((line) => line.includes('were missed') && line.includes(id));
    expect(lines).toHaveLength(1);
    const first = Date.parse(due ?? '');
    const dates = [0, 1, 2].map((days) => new Date(first + days * 86_400_000).toISOString().slice(0, 10));
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ slot: 1, missed: dates, passedOver: 2, option: 'one' });
    expect(ordersOf(sold)).toEqual(['1']);
  });
});

async function brakeCounts(florin: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const text = await (await fetch(`${florin}/metrics`, { headers })).text();
  const matches = [...text.matchAll(/^florin_schedule_brakes_total\{reason="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(matches.map(([, reason = '', count]) => [reason, Number(count)]));
}

test.describe('M9: the brake', () => {
  async function charged(shop: CardMerchant, clock: Clock, plan: Changes = {}) {
    const id = await schedule(shop, { payments_count: 20, interval_length: 10, ...plan });
    const sold = await subscribe(shop, id);
    for (let slot = 1; slot <= 2; slot += 1) await toNext(clock, sold);
    expect(ordersOf(sold)).toEqual(['1', '2']);
    return { id, sold };
  }

  test('M9: stops a row whose slots were set forward, and shows it', async ({ florin, cardShop, clock }) => {
    const { id, sold } = await charged(cardShop, clock);
    const { due } = rowOf(sold);
    const before = (await brakeCounts(florin)).early ?? 0;
    edit(sold, 'done = done + 1, due_at = $1', [(await clock.now()).toISOString()]);
    await runDueJobs(clock);
    expect(ordersOf(sold)).toEqual(['1', '2']);
    expect((await brakeCounts(florin)).early).toBeGreaterThan(before);
    const page = await pageOf(florin, id);
    expect(page.braked).toBe(1);
    expect(page.subscribers.rows[0]).toMatchObject({ braked: 'early' });
    // It is charged on the date of the slot in the row, and the mark is gone.
    expect(daysBetween(due, rowOf(sold).due)).toBe(10);
    await toNext(clock, sold);
    expect(ordersOf(sold)).toEqual(['1', '2', '4']);
    expect((await pageOf(florin, id)).braked).toBe(0);
  });

  test('M9: stops a row that is due at once, or whose slots were set back', async ({ cardShop, clock }) => {
    const { sold } = await charged(cardShop, clock);
    for (const change of [
      'due_at = $1',
      'done = 0, due_at = $1',
      'retries = 9, due_at = $1',
      'retries = -3, due_at = $1',
    ]) {
      edit(sold, change, [(await clock.now()).toISOString()]);
      await runDueJobs(clock);
      expect(ordersOf(sold), change).toEqual(['1', '2']);
    }
    await toNext(clock, sold);
    expect(ordersOf(sold)).toHaveLength(3);
  });

  test('M9: stops a row whose first date was set back by a year', async ({ cardShop, clock }) => {
    const { sold } = await charged(cardShop, clock, { interval_length: 1 });
    edit(sold, "first_date = first_date - 360, due_at = $1::timestamptz - interval '1 day'", [
      (await clock.now()).toISOString(),
    ]);
    await runDueJobs(clock);
    expect(ordersOf(sold)).toEqual(['1', '2']);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual(['1', '2', '3']);
  });

  test('M9: stops a row that has lost its charged slots', async ({ florin, cardShop, clock }) => {
    const { id, sold } = await charged(cardShop, clock);
    edit(
      sold,
      'first_date = first_date - 20, due_at = $1::timestamptz, begun_slot = null, begun_for = null, begun_at = null',
      [(await clock.now()).toISOString()],
    );
    await runDueJobs(clock);
    expect(ordersOf(sold)).toEqual(['1', '2']);
    expect((await pageOf(florin, id)).subscribers.rows[0]).toMatchObject({ braked: 'spacing' });
  });

  test('M9: a process whose clock is a year ahead charges nothing', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 12 });
    const sold = await subscribe(cardShop, id);
    const { due } = rowOf(sold);
    // Every source of time of the process is a year ahead.
    const code = `const D=Date,n=D.now,s=366*864e5;
      class F extends D{constructor(...a){a.length?super(...a):super(n()+s)}}
      globalThis.Date=Object.assign(F,{now:()=>n()+s,UTC:D.UTC,parse:D.parse});`;
    const ahead = await startVictim({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      LOG_LEVEL: 'error',
    });
    const wrong = clockAt(ahead.url);
    // The sandbox's clock is the same in both; only the machine's differs.
    const offset = ((await clock.now()).getTime() - Date.now()) / 1000;
    await wrong.advance(Math.round(offset));
    const ready = await fetch(`${ahead.url}/readyz`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('ahead of the database')]);
    await wrong.tick();
    await ahead.end();
    expect(ordersOf(sold)).toEqual([]);
    expect(rowOf(sold)).toMatchObject({ done: 0, due });
    await toNext(clock, sold);
    expect(ordersOf(sold)).toEqual(['1']);
  });
});

test.describe('while a charge is in progress', () => {
  async function charging(shop: CardMerchant, clock: Clock, provider: { fault: (...given: never[]) => unknown }) {
    const id = await schedule(shop, { payments_count: 3 });
    const sold = await subscribe(shop, id);
    const hang = { fault: 'hang', call: 'payment', carriedOut: true };
    await (provider.fault as (fault: object, order: string) => Promise<unknown>)(hang, `${sold.orderId}/1`);
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
    const charge = runSql("select id, state from payments where order_number = $1 || '/1'", [sold.orderId]);
    expect(charge).toMatchObject([{ state: 'settled' }]);
    await pass(clock, 3 * day);
    expect(ordersOf(sold)).toEqual(['1']);
    expect(rowOf(sold)).toMatchObject({ stopped: 'descheduled', due: null });
  });

  test('a pause lets it complete, and stops the following charges', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('impatient');
    const { id, sold, ended } = await charging(shop, clock, provider);
    await shop.schedule('PAUSE_SCHEDULE', { schedule_id: id });
    await ended;
    await pass(clock, 2 * day);
    expect(ordersOf(sold)).toEqual(['1']);
    await shop.schedule('RUN_SCHEDULE', { schedule_id: id });
    await runDueJobs(clock);
    expect(ordersOf(sold)).toEqual(['1']);
  });

  test('B1: an uncertain outcome is neither retried nor skipped', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { payments_count: 3 });
    const sold = await subscribe(shop, id);
    const order = `${sold.orderId}/1`;
    await provider.fault({ fault: 'reset', call: 'payment', carriedOut: true }, order);
    await provider.fault({ fault: 'error', call: 'status', calls: 500 }, order);
    await toNext(clock, sold);
    for (let date = 0; date < 4; date += 1) await pass(clock, day);
    expect(rowOf(sold)).toMatchObject({ done: 0, retries: 0 });
    expect(ordersOf(sold)).toEqual(['1']);
    await fetch(`${shop.baseUrl}/sandbox/provider/faults?order=${encodeURIComponent(order)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${process.env.TEST_CONTROL_TOKEN}` },
    });
    await pass(clock, 2 * hour);
    await pass(clock, day);
    expect(ordersOf(sold)).toEqual(['1', '2']);
  });
});
