// The schedule actions of S2S CARD: create, read, update, pause, run, delete, and the schedule fields of the payment
// that starts one (interface.md, Schedule; protocol.md 5). The project `clock` tests the dates of the charges.
import { randomUUID } from 'node:crypto';
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import { visitorAs } from '../support/dashboard.ts';
import type { Changes } from '../support/merchant.ts';
import { merchants } from '../support/merchants.ts';
import { expectS2sCallbacks, s2sStatusOf } from '../support/s2s-flows.ts';
import { signCard } from '../support/signatures.ts';
import { expect, test } from '../support/test.ts';
import { parseCell, rowsOf } from '../support/text-table.ts';

const monthly = { name: 'Membership', interval_length: '1', interval_unit: 'month', payments_count: '12' };

async function create(shop: CardMerchant, changes: Changes = {}): Promise<string> {
  const { status, body } = await shop.schedule('CREATE_SCHEDULE', { ...monthly, ...changes });
  expect(status, JSON.stringify(body)).toBe(200);
  return body.schedule_id;
}

const error = (error_code: number, error_message: string) => [
  400,
  expect.objectContaining({ result: 'ERROR', error_code, error_message }),
];
const notFound = error(100000, 'Schedule not found');

for (const [mode, name] of [
  ['MD5', 'plain'],
  ['SHA-256', 'additions'],
] as const) {
  test(`the lifecycle of a schedule, signed by ${mode}`, async ({ cardAs }) => {
    const shop = cardAs(name);
    const made = await shop.schedule('CREATE_SCHEDULE', monthly);
    const schedule_id = made.body.schedule_id;
    expect(made.body).toEqual({ action: 'CREATE_SCHEDULE', result: 'SUCCESS', schedule_id });
    const info = async () => (await shop.schedule('SCHEDULE_INFO', { schedule_id })).body;
    expect(await info()).toEqual({
      action: 'SCHEDULE_INFO',
      result: 'SUCCESS',
      schedule_id,
      ...monthly,
      delays: null,
      paused: 'N',
      delayed_first_payment: 'none',
    });
    for (const [action, paused] of [
      ['PAUSE_SCHEDULE', 'Y'],
      ['PAUSE_SCHEDULE', 'Y'],
      ['RUN_SCHEDULE', 'N'],
      ['RUN_SCHEDULE', 'N'],
    ] as const) {
      const { body } = await shop.schedule(action, { schedule_id });
      expect(body).toEqual({ action, result: 'SUCCESS', schedule_id });
      expect((await info()).paused).toBe(paused);
    }
    const updated = await shop.schedule('UPDATE_SCHEDULE', { schedule_id, payments_count: '6', day_of_month: '31' });
    expect(updated.body).toEqual({ action: 'UPDATE_SCHEDULE', result: 'SUCCESS', schedule_id });
    expect(await info()).toMatchObject({ ...monthly, payments_count: '6', day_of_month: '31' });
    const deleted = await shop.schedule('DELETE_SCHEDULE', { schedule_id });
    expect(deleted.body).toEqual({ action: 'DELETE_SCHEDULE', result: 'SUCCESS', schedule_id });
    for (const action of ['SCHEDULE_INFO', 'UPDATE_SCHEDULE', 'DELETE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE']) {
      const { status, body } = await shop.schedule(action, { schedule_id });
      expect([status, body], action).toEqual(notFound);
    }
  });
}

test('a start so late that the last date is invalid is rejected', async ({ cardShop, shop, florin }) => {
  const schedule_id = await create(cardShop, { payments_count: '24' });
  const more = { schedule_id, schedule_start_date: '9999-12-31' };
  const errors = [{ error_code: 100000, error_message: 'schedule_start_date: This value is not valid.' }];
  const sold = await cardShop.charge('SALE', { recurring_init: 'Y', ...more });
  expect([sold.status, sold.body.errors]).toEqual([400, errors]);
  const session = await shop.session({ recurring_init: true, ...more });
  expect([session.status, session.body.errors]).toEqual([400, errors]);
  const late = await cardShop.charge('SALE', { recurring_init: 'Y', ...more, schedule_start_date: '2999-12-31' });
  expect(late.body.result).toBe('SUCCESS');
  const manager = await visitorAs(florin, 'manager');
  expect((await manager.get(`/schedules/${schedule_id}`)).status).toBe(200);
});

test('SCHEDULE_INFO may come as a GET', async ({ cardShop }) => {
  const schedule_id = await create(cardShop);
  const { body } = await cardShop.schedule('SCHEDULE_INFO', { schedule_id });
  const query = (fields: Changes) => new URLSearchParams(fields as Record<string, string>);
  const hash = signCard(4, { scheduleId: schedule_id }, merchants.plain);
  const fields = { action: 'SCHEDULE_INFO', client_key: merchants.plain.key, schedule_id, hash };
  const response = await fetch(`${cardShop.baseUrl}/s2s/card/post?${query(fields)}`);
  expect([response.status, await response.json()]).toEqual([200, body]);
  const doubled = await fetch(`${cardShop.baseUrl}/s2s/card/post?${query(fields)}&schedule_id=${schedule_id}`);
  expect(doubled.status).toBe(400);
  // A query has the limits of a form.
  const many = Array.from({ length: 1001 }, (_, place) => `&f${place}`).join('');
  for (const more of [many, '&client_key%5B%5D=x', '&extra=%00', '&__proto__=x']) {
    const refused = await fetch(`${cardShop.baseUrl}/s2s/card/post?${query(fields)}${more}`);
    expect([more.slice(0, 30), refused.status]).toEqual([more.slice(0, 30), 400]);
  }
});

test('an id of the merchant’s own, once', async ({ cardShop }) => {
  const schedule_id = randomUUID();
  expect(await create(cardShop, { schedule_id })).toBe(schedule_id);
  const again = await cardShop.schedule('CREATE_SCHEDULE', { ...monthly, schedule_id });
  expect(again.body.errors).toEqual([{ error_code: 100000, error_message: 'schedule_id: This value is not valid.' }]);
});

test('every other action finds only the merchant’s own schedules', async ({ cardShop, cardAs }) => {
  const schedule_id = await create(cardAs('other'));
  for (const action of [
    ...['SCHEDULE_INFO', 'UPDATE_SCHEDULE', 'PAUSE_SCHEDULE', 'RUN_SCHEDULE', 'DELETE_SCHEDULE', 'DESCHEDULE'],
  ]) {
    const more = action === 'DESCHEDULE' ? { recurring_token: 'x' } : {};
    for (const id of [schedule_id, randomUUID()]) {
      const { status, body } = await cardShop.schedule(action, { schedule_id: id, ...more });
      expect([status, body], action).toEqual(notFound);
    }
    const shapeless = await cardShop.schedule(action, { schedule_id: 'no uuid', ...more });
    expect([shapeless.status, shapeless.body], action).toEqual(error(100000, 'This is not a valid UUID.'));
    const wrong = await cardShop.schedule(action, { schedule_id, ...more, hash: 'wrong' });
    expect([wrong.status, wrong.body], action).toEqual(error(100000, 'Hash is not valid'));
  }
});

const invalidPlans = `
  name                          | -       | name: This value should not be blank.
  name                          | x*101   | name: This value is not valid.
  interval_length               | 0       | interval_length: This value should be greater than 0.
  interval_length               | 1.5     | interval_length: This value is not valid.
  interval_unit                 | week    | interval_unit: The value you selected is not a valid choice.
  payments_count                | -       | payments_count: This value should not be blank.
  payments_count                | "-3"    | payments_count: This value should be greater than 0.
  day_of_month                  | 32      | day_of_month: This value is not valid.
  delayed_first_payment         | later   | delayed_first_payment: The value you selected is not a valid choice.
  delayed_first_payment         | day_of_week  | first_payment_day_of_week: This value should not be blank.
  delayed_first_payment         | day_of_month | first_payment_day_of_month: This value should not be blank.
  first_payment_day_of_week     | 8       | first_payment_day_of_week: This value is not valid.
  first_payment_interval_unit   | year    | first_payment_interval_unit: The value you selected is not a valid choice.`;

test('invalid plans', async ({ cardShop }) => {
  for (const [name = '', cell = '', expected] of rowsOf(invalidPlans)) {
    const value = parseCell(cell);
    const { status, body } = await cardShop.schedule('CREATE_SCHEDULE', { ...monthly, [name]: value });
    expect([status, body.error_code, body.errors?.[0]?.error_message], `${name}=${cell}`).toEqual([
      400,
      100000,
      expected,
    ]);
  }
});

test('delays is deprecated', async ({ cardShop }) => {
  const schedule_id = await create(cardShop);
  const deprecated = error(100000, 'Parameter is deprecated.');
  for (const delays of ['', '3', { 0: '1' }]) {
    const made = await cardShop.schedule('CREATE_SCHEDULE', { delays });
    expect([made.status, made.body]).toEqual(deprecated);
    const updated = await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, delays });
    expect([updated.status, updated.body]).toEqual(deprecated);
  }
});

test('an update is checked together with the unchanged fields', async ({ cardShop }) => {
  const schedule_id = await create(cardShop, { interval_unit: 'day' });
  const { body } = await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, day_of_month: '5' });
  expect(body.errors).toEqual([{ error_code: 100000, error_message: 'day_of_month: This value is not valid.' }]);
  const both = await cardShop.schedule('UPDATE_SCHEDULE', { schedule_id, day_of_month: '5', interval_unit: 'month' });
  expect(both.body.result).toBe('SUCCESS');
});

test('a payment returns the schedule that it starts', async ({ cardShop }) => {
  const schedule_id = await create(cardShop);
  const changes = {
    recurring_init: 'Y',
    schedule_id,
    schedule_start_date: '2037-03-31',
    payment_schedule_amount: '9.90',
  };
  const expected = {
    schedule_id,
    first_recurring_date: '2037-03-31',
    schedule_start_date: '2037-03-31',
    payment_schedule_amount: '9.90',
    recurring_token: expect.any(String),
  };
  const sold = await cardShop.sell(changes);
  expect(sold.answer.body).toMatchObject(expected);
  const [message] = await expectS2sCallbacks(cardShop, sold, ['SALE SUCCESS SETTLED']);
  expect(message?.fields).toMatchObject(expected);
  expect(await s2sStatusOf(cardShop, sold)).toMatchObject(expected);

  const inUse = await cardShop.schedule('DELETE_SCHEDULE', { schedule_id });
  expect([inUse.status, inUse.body]).toEqual(error(100000, 'Schedule is in use.'));
  const { recurring_token } = sold.answer.body;
  const ended = await cardShop.schedule('DESCHEDULE', { schedule_id, recurring_token });
  expect(ended.body).toEqual({ action: 'DESCHEDULE', result: 'SUCCESS', schedule_id, recurring_token });
  const again = await cardShop.schedule('DESCHEDULE', { schedule_id, recurring_token });
  expect([again.status, again.body]).toEqual(error(100000, 'Incorrect transaction'));
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id })).status).toBe(200);
});

test('invalid schedule fields of a payment', async ({ cardShop, cardAs }) => {
  const schedule_id = await create(cardShop);
  const foreign = await create(cardAs('other'));
  const recurring_init = 'Y';
  const wrong: [Changes, string][] = [
    [{ schedule_id }, 'schedule_id: This value is not valid.'],
    [{ recurring_init, schedule_id: 'x' }, 'schedule_id: This is not a valid UUID.'],
    [{ recurring_init, schedule_start_date: '2037-01-01' }, 'schedule_id: This value should not be blank.'],
    [{ recurring_init, payment_schedule_amount: '1.00' }, 'schedule_id: This value should not be blank.'],
    [
      { recurring_init, schedule_id, schedule_start_date: '2037-02-30' },
      'schedule_start_date: This value is not valid.',
    ],
    [
      { recurring_init, schedule_id, schedule_start_date: '2020-01-01' },
      'schedule_start_date: This value is not valid.',
    ],
    [
      { recurring_init, schedule_id, payment_schedule_amount: '1.001' },
      'payment_schedule_amount: This value is not valid.',
    ],
  ];
  for (const [changes, text] of wrong) {
    const { status, body } = await cardShop.charge('SALE', changes);
    expect([status, body.errors?.[0]?.error_message], JSON.stringify(changes)).toEqual([400, text]);
  }
  const { status, body } = await cardShop.charge('SALE', { recurring_init, schedule_id: foreign });
  expect([status, body]).toEqual(notFound);
});

test('a paused schedule starts no subscription', async ({ cardShop }) => {
  const schedule_id = await create(cardShop);
  await cardShop.schedule('PAUSE_SCHEDULE', { schedule_id });
  const sold = await cardShop.sell({ recurring_init: 'Y', schedule_id, ...cardFields.settled });
  expect(sold.answer.body).toMatchObject({ status: 'SETTLED', recurring_token: expect.any(String) });
  expect(sold.answer.body).not.toHaveProperty('first_recurring_date');
  expect((await cardShop.schedule('DELETE_SCHEDULE', { schedule_id })).status).toBe(200);
});
