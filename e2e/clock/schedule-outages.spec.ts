// Schedules cannot burst (protocol.md 7a): not after an outage, a manual edit of a row or a wrong clock. The provider's
// charges are the reference.
import type { CardMerchant } from '../support/card-merchant.ts';
import { type Clock, clockAt } from '../support/clock.ts';
import { demoPassword, people, signInOverHttp, visitor } from '../support/dashboard.ts';
import { startKillableServer } from '../support/killable-server.ts';
import type { Changes } from '../support/merchant.ts';
import type { Sold } from '../support/s2s-merchant.ts';
import { day, hour, schedule, subscribe } from '../support/schedules.ts';
import { daysBetween, edit, ordersOf, pass, rowOf, runDueJobs, toNext } from '../support/subscriptions.ts';
import { expect, test } from '../support/test.ts';

/** The schedule as the dashboard shows it to the platform's users. */
async function pageOf(florin: string, id: string) {
  const { status, cookie } = await signInOverHttp(florin, people.manager, demoPassword());
  expect(status).toBe(200);
  return (await visitor(florin, cookie).get(`/schedules/${id}`)).body;
}

test.describe('after an outage', () => {
  // Five dates and two hours pass without a server.
  const afterOutage = 5 * day + 2 * hour;

  test('one, the latest, is charged by default, and the next on its date', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { payments_count: 10 });
    const sold = await subscribe(cardShop, id);
    await pass(clock, afterOutage);
    expect(await ordersOf(sold)).toEqual(['1']);
    await pass(clock, day);
    expect(await ordersOf(sold)).toEqual(['1', '2']);
    expect((await rowOf(sold)).done).toBe(2);
  });

  test('none, if the mapping says so', async ({ cardAs, clock }) => {
    const shop = cardAs('noneMissed');
    const sold = await subscribe(shop, await schedule(shop, { payments_count: 10 }));
    await pass(clock, afterOutage);
    expect(await ordersOf(sold)).toEqual([]);
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toEqual(['1']);
  });

  test('all, if the mapping says so, an hour after the dashboard has shown them', async ({ florin, cardAs, clock }) => {
    const shop = cardAs('allMissed');
    const id = await schedule(shop, { payments_count: 10 });
    const sold = await subscribe(shop, id);
    await pass(clock, afterOutage);
    expect(await ordersOf(sold)).toEqual([]);
    const { missed } = await pageOf(florin, id);
    expect(missed).toMatchObject({ slots: 5, charged: 5, subscriptions: 1 });
    expect(missed.from).toBe(new Date((await rowOf(sold)).due ?? '').toISOString());
    await pass(clock, hour + 60);
    expect(await ordersOf(sold)).toEqual(['1', '2', '3', '4', '5']);
    expect((await pageOf(florin, id)).missed).toBeNull();
    await pass(clock, day);
    expect(await ordersOf(sold)).toHaveLength(6);
  });

  test('a jump of a year charges every subscription once', async ({ cardShop, clock }) => {
    const plans = [
      { interval_unit: 'month', payments_count: 24 },
      { interval_unit: 'day', payments_count: 900 },
      { interval_unit: 'day', interval_length: 7, payments_count: 90 },
    ];
    const chains: Sold[] = [];
    for (const plan of plans) chains.push(await subscribe(cardShop, await schedule(cardShop, plan)));
    await pass(clock, 366 * day);
    for (const sold of chains) expect(await ordersOf(sold)).toEqual(['1']);
  });

  test('missed slots are logged in one line with their dates', async ({ cardShop }) => {
    const sold = await subscribe(cardShop, await schedule(cardShop, { payments_count: 10 }));
    const { id, due } = await rowOf(sold);
    const late = await startKillableServer({ LOG_LEVEL: 'warn' });
    const clock = clockAt(late.url);
    await clock.move(Math.ceil((Date.parse(due ?? '') - (await clock.now()).getTime()) / 1000) + 2 * day + 2 * hour);
    expect(await clock.tick(), 'rows of the first tick').toBeGreaterThan(0);
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
    expect(await ordersOf(sold)).toEqual(['1']);
  });
});

async function brakeCounts(florin: string): Promise<Record<string, number>> {
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
  const text = await (await fetch(`${florin}/metrics`, { headers })).text();
  const matches = [...text.matchAll(/^florin_schedule_brakes_total\{reason="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(matches.map(([, reason = '', count]) => [reason, Number(count)]));
}

test.describe('the safety stop', () => {
  async function charged(shop: CardMerchant, clock: Clock, plan: Changes = {}) {
    const id = await schedule(shop, { payments_count: 20, interval_length: 10, ...plan });
    const sold = await subscribe(shop, id);
    for (let slot = 1; slot <= 2; slot += 1) await toNext(clock, sold);
    expect(await ordersOf(sold)).toEqual(['1', '2']);
    return { id, sold };
  }

  test('stops a row whose slots were set forward, and shows it', async ({ florin, cardShop, clock }) => {
    const { id, sold } = await charged(cardShop, clock);
    const { due } = await rowOf(sold);
    const before = (await brakeCounts(florin)).early ?? 0;
    await edit(sold, 'done = done + 1, due_at = $1', [(await clock.now()).toISOString()]);
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toEqual(['1', '2']);
    expect((await brakeCounts(florin)).early).toBeGreaterThan(before);
    const page = await pageOf(florin, id);
    expect(page.braked).toBe(1);
    expect(page.subscribers.rows[0]).toMatchObject({ braked: 'early' });
    // It is charged on the date of the slot in the row, and the mark is gone.
    expect(daysBetween(due, (await rowOf(sold)).due)).toBe(10);
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toEqual(['1', '2', '4']);
    expect((await pageOf(florin, id)).braked).toBe(0);
  });

  test('stops a row that is due at once, or whose slots were set back', async ({ cardShop, clock }) => {
    const { sold } = await charged(cardShop, clock);
    for (const change of [
      'due_at = $1',
      'done = 0, due_at = $1',
      'retries = 9, due_at = $1',
      'retries = -3, due_at = $1',
    ]) {
      await edit(sold, change, [(await clock.now()).toISOString()]);
      await runDueJobs(clock);
      expect(await ordersOf(sold), change).toEqual(['1', '2']);
    }
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toHaveLength(3);
  });

  test('stops a row whose first date was set back by a year', async ({ cardShop, clock }) => {
    const { sold } = await charged(cardShop, clock, { interval_length: 1 });
    await edit(sold, "first_date = first_date - 360, due_at = $1::timestamptz - interval '1 day'", [
      (await clock.now()).toISOString(),
    ]);
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toEqual(['1', '2']);
    await pass(clock, day);
    expect(await ordersOf(sold)).toEqual(['1', '2', '3']);
  });

  test('stops a row that has lost its charged slots', async ({ florin, cardShop, clock }) => {
    const { id, sold } = await charged(cardShop, clock);
    await edit(
      sold,
      'first_date = first_date - 20, due_at = $1::timestamptz, begun_slot = null, begun_for = null, begun_at = null',
      [(await clock.now()).toISOString()],
    );
    await runDueJobs(clock);
    expect(await ordersOf(sold)).toEqual(['1', '2']);
    expect((await pageOf(florin, id)).subscribers.rows[0]).toMatchObject({ braked: 'spacing' });
  });

  test('a process whose clock is a year ahead charges nothing', async ({ cardShop, clock }) => {
    const id = await schedule(cardShop, { interval_unit: 'month', payments_count: 12 });
    const sold = await subscribe(cardShop, id);
    const { due } = await rowOf(sold);
    // Every source of time of the process is a year ahead.
    const code = `const D=Date,n=D.now,s=366*864e5;
      class F extends D{constructor(...a){a.length?super(...a):super(n()+s)}}
      globalThis.Date=Object.assign(F,{now:()=>n()+s,UTC:D.UTC,parse:D.parse});`;
    const ahead = await startKillableServer({
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(code)}`,
      LOG_LEVEL: 'error',
    });
    const wrong = clockAt(ahead.url);
    // The sandbox's clock is the same in both; only the machine's differs.
    const offset = ((await clock.now()).getTime() - Date.now()) / 1000;
    await wrong.advance(Math.round(offset));
    const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
    const ready = await fetch(`${ahead.url}/readyz`, { headers });
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining('ahead of the database')]);
    await wrong.tick();
    await ahead.end();
    expect(await ordersOf(sold)).toEqual([]);
    expect(await rowOf(sold)).toMatchObject({ done: 0, due });
    await toNext(clock, sold);
    expect(await ordersOf(sold)).toEqual(['1']);
  });
});
