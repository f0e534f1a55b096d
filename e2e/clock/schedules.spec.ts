// Schedules over time: the dates of the first and later charges, the effect of pauses, updates and declines, and that
// each slot is charged once (interface.md, Schedule; protocol.md 5).
import { cardFields } from '../support/card-merchant.ts';
import { type Clock, clockAt } from '../support/clock.ts';
import { startKillableServer } from '../support/killable-server.ts';
import { cards } from '../support/payer.ts';
import { pay } from '../support/payment-flows.ts';
import { chargesOf, day, declined, hour, schedule, settled, subscribe } from '../support/schedules.ts';
import { messagesOf } from '../support/shop-server.ts';
import { isSignedCallback } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { rowsOf } from '../support/text-table.ts';

// Races in the records of money show by chance: no test here is repeated.
test.describe.configure({ retries: 0 });

const isoDay = (time: Date) => time.toISOString().slice(0, 10);

/**
 * Adds days and months to a date by the calendar, independent of the code under test; a missing day becomes the last of
 * the month.
 */
function later(date: string, { days = 0, months = 0, on }: { days?: number; months?: number; on?: number }): string {
  const [year = 0, month = 0, dayOfMonth = 0] = date.split('-').map(Number);
  if (days > 0) return isoDay(new Date(Date.UTC(year, month - 1, dayOfMonth + days)));
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return isoDay(new Date(Date.UTC(year, month - 1 + months, Math.min(on ?? dayOfMonth, last))));
}

/** Moves the clock to a number of seconds after the hour of the first payment on a day. */
async function goTo(clock: Clock, date: string, started: Date, seconds = 60): Promise<void> {
  const due = new Date(`${date}T${started.toISOString().slice(11)}`).getTime() + seconds * 1000;
  const remaining = Math.ceil((due - (await clock.now()).getTime()) / 1000);
  expect(remaining, 'time goes forward').toBeGreaterThan(0);
  await clock.advance(remaining);
}

test.describe('first_recurring_date', () => {
  // the plan | the payment | the date, counted from today
  const table = rowsOf(`
    {"interval_length":7}                                                             | {} | {"days":7}
    {"interval_unit":"month"}                                                         | {} | {"months":1}
    {"interval_unit":"month","interval_length":2,"day_of_month":31}                   | {} | {"months":2,"on":31}
    {"delayed_first_payment":"none","interval_length":3}                              | {} | {"days":3}
    {"delayed_first_payment":"delay_by_interval","first_payment_interval_length":10,"first_payment_interval_unit":"day"} | {} | {"days":10}
    {"delayed_first_payment":"delay_by_interval","first_payment_interval_length":3,"first_payment_interval_unit":"month"} | {} | {"months":3}
    {"delayed_first_payment":"day_of_week","first_payment_day_of_week":1}             | {} | weekday 1
    {"delayed_first_payment":"day_of_week","first_payment_day_of_week":7}             | {} | weekday 7
    {"delayed_first_payment":"day_of_month","first_payment_day_of_month":31}          | {} | day 31
    {"delayed_first_payment":"day_of_month","first_payment_day_of_month":1}           | {} | day 1
    {"delayed_first_payment":"day_of_month","first_payment_day_of_month":1}           | {"start":20} | {"days":20}
  `);

  function expectedDate(today: string, cell: string): string {
    const [kind = '', number = ''] = cell.split(' ');
    if (kind === 'weekday') {
      for (let days = 1; ; days += 1) {
        const date = later(today, { days });
        if ((new Date(`${date}T00:00:00Z`).getUTCDay() || 7) === Number(number)) return date;
      }
    }
    if (kind !== 'day') return later(today, JSON.parse(cell));
    const first = `${today.slice(0, 8)}01`;
    const [here, next] = [0, 1].map((months) => later(first, { months, on: Number(number) }));
    return String(here) > today ? String(here) : String(next);
  }

  for (const [plan = '', payment = '', date = ''] of table) {
    test(`${plan} ${payment}`, async ({ cardShop, clock }) => {
      const today = isoDay(await clock.now());
      const { start } = JSON.parse(payment) as { start?: number };
      const startDate = start === undefined ? undefined : later(today, { days: start });
      const id = await schedule(cardShop, JSON.parse(plan));
      const sold = await subscribe(cardShop, id, { schedule_start_date: startDate });
      const first = expectedDate(today, date);
      expect(sold.answer.body).toMatchObject({ status: 'SETTLED', schedule_id: id, first_recurring_date: first });
      const [callback] = await cardShop.shopServer.waitFor(sold.orderId, (all) => all.length > 0);
      expect(callback?.fields).toMatchObject({ schedule_id: id, first_recurring_date: first });
      const status = await cardShop.follow('GET_TRANS_STATUS', sold);
      expect(status.body).toMatchObject({ schedule_id: id, first_recurring_date: first });
      await cardShop.schedule('DESCHEDULE', { schedule_id: id, recurring_token: sold.answer.body.recurring_token });
    });
  }
});

test('each charge comes on its day, counted from the first, up to payments_count', async ({
  cardShop,
  clock,
  provider,
}) => {
  const id = await schedule(cardShop, { interval_unit: 'month', day_of_month: 31, payments_count: 3 });
  const started = await clock.now();
  const sold = await subscribe(cardShop, id, { payment_schedule_amount: '12.00', custom_data: { plan: 'gold' } });
  const first = String(sold.answer.body.first_recurring_date);
  const dates = [0, 1, 2].map((months) => later(first, { months, on: 31 }));
  for (const [slot, date] of dates.entries()) {
    await goTo(clock, date, started, -hour);
    expect(await chargesOf(cardShop, sold, slot, clock)).toHaveLength(slot);
    await goTo(clock, date, started);
    expect(await chargesOf(cardShop, sold, slot + 1, clock)).toHaveLength(slot + 1);
  }
  expect(await chargesOf(cardShop, sold, 3, clock)).toEqual([settled('1'), settled('2'), settled('3')]);
  const charges = messagesOf(cardShop.shopServer.arrived(sold.orderId)).slice(1);
  for (const [slot, { fields }] of charges.entries()) {
    expect(fields).toMatchObject({
      amount: '12.00',
      'custom_data[plan]': 'gold',
      schedule_id: id,
      recurring_token: sold.answer.body.recurring_token,
      card: '411111****1111',
    });
    expect(fields.trans_date?.slice(0, 10)).toBe(dates[slot]);
    expect(await provider.moved(`${sold.orderId}/${slot + 1}`)).toEqual(['sale 12.00']);
  }
  await clock.advance(100 * day);
  expect(await chargesOf(cardShop, sold, 3, clock)).toHaveLength(3);
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id: id })).body.result).toBe('SUCCESS');
});

test('a debit series is charged by debits, a Checkout series is reported in the words of Checkout', async ({
  cardShop,
  shop,
  clock,
  provider,
}) => {
  const id = await schedule(cardShop, { payments_count: 1 });
  const debit = await cardShop.sell({ recurring_init: 'Y', schedule_id: id }, 'DEBIT');
  const { order } = await pay(shop, cards.settled, { recurring_init: true, schedule_id: id });
  await clock.advance(day + 60);
  expect(await chargesOf(cardShop, debit, 1, clock)).toEqual(['/1 RECURRING_DEBIT SUCCESS SETTLED']);
  expect(await provider.moved(`${debit.orderId}/1`)).toEqual(['debit 84.50']);
  // Two payments at one address: each counts its own callbacks.
  const messages = messagesOf(await shop.shopServer.waitFor(order.number, (all) => messagesOf(all).length >= 2));
  expect(messages.every(({ fields }) => isSignedCallback(fields, shop.credentials))).toBe(true);
  expect(messages[1]?.fields).toMatchObject({
    order_number: `${order.number}/1`,
    type: 'recurring',
    order_status: 'settled',
    schedule_id: id,
    recurring_init_trans_id: messages[0]?.fields.trans_id,
  });
});

test('a paused schedule charges nothing; run again, it skips the slots that were due', async ({ cardShop, clock }) => {
  const id = await schedule(cardShop, { payments_count: 4 });
  const sold = await subscribe(cardShop, id);
  await clock.advance(day + 60);
  expect(await chargesOf(cardShop, sold, 1, clock)).toEqual([settled('1')]);
  await cardShop.schedule('PAUSE_SCHEDULE', { schedule_id: id });
  await clock.advance(2 * day);
  expect(await chargesOf(cardShop, sold, 1, clock)).toEqual([settled('1')]);
  await cardShop.schedule('RUN_SCHEDULE', { schedule_id: id });
  expect(await chargesOf(cardShop, sold, 1, clock)).toEqual([settled('1')]);
  await clock.advance(day);
  expect(await chargesOf(cardShop, sold, 2, clock)).toEqual([settled('1'), settled('4')]);
  await clock.advance(5 * day);
  expect(await chargesOf(cardShop, sold, 2, clock)).toHaveLength(2);
});

test('an update changes the fields of the request, for active subscriptions too', async ({ cardShop, clock }) => {
  const id = await schedule(cardShop, { payments_count: 5, interval_length: 2 });
  const sold = await subscribe(cardShop, id);
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id: id, interval_length: 3 });
  const info = await cardShop.schedule('SCHEDULE_INFO', { schedule_id: id });
  expect(info.body).toMatchObject({ name: 'Plan', interval_length: '3', interval_unit: 'day', payments_count: '5' });
  // The first charge has been reported; the second follows three days after it.
  await clock.advance(2 * day + 60);
  expect(await chargesOf(cardShop, sold, 1, clock)).toEqual([settled('1')]);
  await clock.advance(2 * day);
  expect(await chargesOf(cardShop, sold, 1, clock)).toHaveLength(1);
  await clock.advance(day);
  expect(await chargesOf(cardShop, sold, 2, clock)).toEqual([settled('1'), settled('2')]);
  const inUse = await cardShop.schedule('DELETE_SCHEDULE', { schedule_id: id });
  expect(inUse.body).toMatchObject({ error_code: 100000, error_message: 'Schedule is in use.' });
  await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id: id, payments_count: 2 });
  await clock.advance(10 * day);
  expect(await chargesOf(cardShop, sold, 2, clock)).toHaveLength(2);
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id: id })).body.result).toBe('SUCCESS');
});

test('a descheduled series is charged no more, the others are', async ({ cardShop, clock }) => {
  const id = await schedule(cardShop, { payments_count: 2 });
  const [leaving, staying] = [await subscribe(cardShop, id), await subscribe(cardShop, id)];
  await cardShop.schedule('DESCHEDULE', { schedule_id: id, recurring_token: leaving.answer.body.recurring_token });
  await clock.advance(day + 60);
  expect(await chargesOf(cardShop, staying, 1, clock)).toEqual([settled('1')]);
  expect(await chargesOf(cardShop, leaving, 0, clock)).toEqual([]);
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id: id })).body.error_message).toBe(
    'Schedule is in use.',
  );
});

test.describe('a declined charge', () => {
  test('is retried with the number and interval of the mapping, then left for the next slot', async ({
    cardAs,
    clock,
  }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { payments_count: 2, interval_length: 3 });
    const sold = await subscribe(shop, id, { card_number: '4000000000001117' });
    await clock.advance(3 * day + 60);
    expect(await chargesOf(shop, sold, 1, clock)).toEqual([declined('1')]);
    await clock.advance(11 * hour);
    expect(await chargesOf(shop, sold, 1, clock)).toHaveLength(1);
    await clock.advance(hour + 120);
    expect(await chargesOf(shop, sold, 2, clock)).toEqual([declined('1'), declined('1-2')]);
    await clock.advance(12 * hour + 120);
    const attempts = [declined('1'), declined('1-2'), declined('1-3')];
    expect(await chargesOf(shop, sold, 3, clock)).toEqual(attempts);
    await clock.advance(day);
    expect(await chargesOf(shop, sold, 3, clock)).toHaveLength(3);
    await clock.advance(day);
    expect(await chargesOf(shop, sold, 4, clock)).toEqual([...attempts, declined('2')]);
  });

  test('that is hard ends the subscription', async ({ cardAs, clock }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { payments_count: 3 });
    const sold = await subscribe(shop, id, { card_number: '4000000000001125' });
    await clock.advance(day + 60);
    expect(await chargesOf(shop, sold, 1, clock)).toEqual([declined('1')]);
    await clock.advance(5 * day);
    expect(await chargesOf(shop, sold, 1, clock)).toHaveLength(1);
    expect((await shop.schedule('DELETE_SCHEDULE', { schedule_id: id })).body.result).toBe('SUCCESS');
  });

  test('that the merchant has retried is not charged again', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('twoRetries');
    const id = await schedule(shop, { payments_count: 2, interval_length: 3 });
    const sold = await subscribe(shop, id);
    const order = `${sold.orderId}/1`;
    await provider.fault({ fault: 'reset', call: 'payment', carriedOut: false }, order);
    await clock.advance(3 * day + 60);
    // The server's own round may be processing the charge already.
    const undefinedFirst = '/1 RECURRING_SALE UNDEFINED PREPARE';
    expect(await chargesOf(shop, sold, 1, clock)).toEqual([undefinedFirst]);
    await clock.advance(50);
    expect(await chargesOf(shop, sold, 2, clock)).toEqual([undefinedFirst, declined('1')]);
    // The slot is claimed once more, and left for its next attempt.
    await clock.advance(60);
    const transId = messagesOf(shop.shopServer.arrived(sold.orderId)).at(-1)?.fields.trans_id ?? '';
    const retried = await shop.follow('RETRY', { ...sold, transId });
    expect(retried.body.result).toBe('ACCEPTED');
    expect(await chargesOf(shop, sold, 3, clock)).toEqual([undefinedFirst, declined('1'), settled('1')]);
    await clock.advance(13 * hour);
    await clock.advance(day);
    expect(await chargesOf(shop, sold, 3, clock)).toHaveLength(3);
    expect(await provider.moved(order)).toEqual(['sale 84.50']);
    expect(await provider.journal(`${order}-2`)).toEqual([]);
  });
});

test.describe('a slot is charged once', () => {
  test('after three days without a server, by two processes at once', async ({ cardAs, clock, provider }) => {
    const shop = cardAs('allMissed');
    const id = await schedule(shop, { payments_count: 4 });
    const chains = await Promise.all(Array.from({ length: 4 }, () => subscribe(shop, id)));
    const second = await startKillableServer();
    const other = clockAt(second.url);
    const behind = Math.ceil(((await clock.now()).getTime() - (await other.now()).getTime()) / 1000);
    if (behind > 0) await other.advance(behind);
    // All missed slots, after the hour in which they are shown first.
    for (const seconds of [3 * day + 60, hour]) {
      await Promise.all([clock.advance(seconds), other.advance(seconds)]);
      for (let round = 0; round < 6; round += 1) {
        await Promise.all([clock.tick(), other.tick(), clock.tick(), other.tick()]);
      }
    }
    for (const sold of chains) {
      // Each slot is a payment of its own, and only callbacks of one payment keep their order.
      const charges = await chargesOf(shop, sold, 3, clock);
      expect(charges.sort()).toEqual([settled('1'), settled('2'), settled('3')]);
      for (const slot of [1, 2, 3]) expect(await provider.moved(`${sold.orderId}/${slot}`)).toEqual(['sale 84.50']);
      expect(await provider.journal(`${sold.orderId}/4`)).toEqual([]);
    }
    await second.end();
  });

  for (const [name, carriedOut] of [
    ['carried out', true],
    ['never arrived', false],
  ] as const) {
    test(`when the answer is lost (${name})`, async ({ cardAs, clock, provider }) => {
      const shop = cardAs('twoRetries');
      const id = await schedule(shop, { payments_count: 1 });
      const sold = await subscribe(shop, id);
      await provider.fault({ fault: 'reset', call: 'payment', carriedOut }, `${sold.orderId}/1`);
      await clock.advance(day + 60);
      await clock.advance(120);
      await clock.advance(13 * hour);
      await clock.advance(day);
      const summaries = await chargesOf(shop, sold, carriedOut ? 2 : 3, clock);
      const unclear = '/1 RECURRING_SALE UNDEFINED PREPARE';
      expect(summaries).toEqual(carriedOut ? [unclear, settled('1')] : [unclear, declined('1'), settled('1-2')]);
      const moved = [...(await provider.moved(`${sold.orderId}/1`)), ...(await provider.moved(`${sold.orderId}/1-2`))];
      expect(moved).toEqual(['sale 84.50']);
    });
  }

  test('also if the merchant uses its order number', async ({ cardShop, clock, provider }) => {
    const id = await schedule(cardShop, { payments_count: 1 });
    const sold = await subscribe(cardShop, id);
    await cardShop.sell({ ...cardFields.settled, order_id: `${sold.orderId}/1`, order_amount: '1.00' });
    await clock.advance(day + 60);
    const [charge = '', ...others] = await chargesOf(cardShop, sold, 1, clock);
    expect(charge).toMatch(/^\/1\/[0-9a-f]{8} RECURRING_SALE SUCCESS SETTLED$/);
    expect(others).toEqual([]);
    expect(await provider.moved(`${sold.orderId}${charge.split(' ')[0]}`)).toEqual(['sale 84.50']);
  });
});
