import { describe, expect, it } from 'vitest';
import { type ApiError, renderApiError, throwFieldErrors } from '../../core/errors.ts';
import { calendarDate, firstCharge } from '../../core/recurrence.ts';
import { fieldErrorsOf } from '../../http/body.ts';
import { changed, readCell, rowsOf, verdictOf } from '../shared/s2s-table.test-data.ts';
import {
  changedPlan,
  createScheduleSchema,
  descheduleSchema,
  planErrors,
  scheduleSchema,
  updateScheduleSchema,
} from './schedule-fields.ts';

const known = { client_key: '5a0c6b1e-8f4d-4c2a-9d37-1e6b7f20c9a4', hash: 'a'.repeat(32) };
const id = '0190a1b2-0000-7000-8000-000000000001';
const plan = { name: 'Monthly', interval_length: '1', interval_unit: 'month', payments_count: '12' };
const create = { ...known, ...plan };

describe('CREATE_SCHEDULE with one field changed', () => {
  const table = rowsOf(`
    client_key                    | -        | client_key: blank
    name                          | -        | name: blank
    name                          | x*100    | ok
    name                          | x*101    | name: not valid
    interval_length               | -        | interval_length: blank
    interval_length               | 0        | interval_length: positive
    interval_length               | -3       | interval_length: positive
    interval_length               | 1.5      | interval_length: not valid
    interval_length               | one      | interval_length: not valid
    interval_length               | 1e2      | interval_length: not valid
    interval_length               | ١        | interval_length: not valid
    interval_length               | 1000     | ok
    interval_length               | 1001     | payments_count: not valid
    interval_length               | 10000    | interval_length: not valid
    interval_length               | {"a":"1"}| interval_length: not valid
    interval_unit                 | -        | interval_unit: blank
    interval_unit                 | day      | ok
    interval_unit                 | week     | interval_unit: no choice
    interval_unit                 | Month    | interval_unit: no choice
    payments_count                | -        | payments_count: blank
    payments_count                | 0        | payments_count: positive
    payments_count                | 9999     | ok
    payments_count                | 10000    | payments_count: not valid
    payments_count                | 9*30     | payments_count: not valid
    day_of_month                  | 1        | ok
    day_of_month                  | 31       | ok
    day_of_month                  | 32       | day_of_month: not valid
    day_of_month                  | 0        | day_of_month: positive
    day_of_month                  | ""       | ok
    schedule_id                   | ${id} | ok
    schedule_id                   | abc      | schedule_id: no UUID
    schedule_id                   | ""       | ok
    delayed_first_payment         | none     | ok
    delayed_first_payment         | later    | delayed_first_payment: no choice
    delayed_first_payment         | delay_by_interval | first_payment_interval_length: blank, first_payment_interval_unit: blank
    delayed_first_payment         | day_of_week       | first_payment_day_of_week: blank
    delayed_first_payment         | day_of_month      | first_payment_day_of_month: blank
    first_payment_interval_length | 0        | first_payment_interval_length: positive
    first_payment_interval_unit   | year     | first_payment_interval_unit: no choice
    first_payment_day_of_week     | 1        | ok
    first_payment_day_of_week     | 7        | ok
    first_payment_day_of_week     | 8        | first_payment_day_of_week: not valid
    first_payment_day_of_week     | 0        | first_payment_day_of_week: positive
    first_payment_day_of_week     | monday   | first_payment_day_of_week: not valid
    first_payment_day_of_month    | 31       | ok
    first_payment_day_of_month    | 32       | first_payment_day_of_month: not valid
    delays                        | 1        | delays: Parameter is deprecated.
    delays                        | ""       | delays: Parameter is deprecated.
    unknown_field                 | x        | ok`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    const body = changed(create, { [field as string]: readCell(cell as string) });
    expect(verdictOf(createScheduleSchema, body)).toBe(verdict);
  });

  const together: [object, string][] = [
    [{ interval_unit: 'day', day_of_month: '5' }, 'day_of_month: not valid'],
    [
      { delayed_first_payment: 'delay_by_interval', first_payment_interval_length: '3' },
      'first_payment_interval_unit: blank',
    ],
    [
      {
        delayed_first_payment: 'delay_by_interval',
        first_payment_interval_length: '3',
        first_payment_interval_unit: 'day',
      },
      'ok',
    ],
    [{ delayed_first_payment: 'day_of_week', first_payment_day_of_week: '1' }, 'ok'],
    [{ delayed_first_payment: 'day_of_month', first_payment_day_of_month: '31' }, 'ok'],
    [{ interval_unit: 'day', interval_length: '9999', payments_count: '36' }, 'ok'],
    [{ interval_unit: 'day', interval_length: '9999', payments_count: '37' }, 'payments_count: not valid'],
  ];
  it.each(together)('%j: %s', (changes, verdict) => {
    expect(verdictOf(createScheduleSchema, changed(create, changes))).toBe(verdict);
  });

  it('reports all field errors together, and delays alone', () => {
    const body = { name: '', day_of_month: '40', delayed_first_payment: 'day_of_week' };
    expect(verdictOf(createScheduleSchema, changed(create, body))).toBe(
      'name: blank, day_of_month: not valid, first_payment_day_of_week: blank',
    );
    expect(verdictOf(createScheduleSchema, changed(create, { ...body, delays: '2' }))).toBe(
      'delays: Parameter is deprecated.',
    );
  });

  it('contains a plan with numbers', () => {
    const read = createScheduleSchema.parse(
      changed(create, { day_of_month: '31', delayed_first_payment: 'day_of_week', first_payment_day_of_week: '1' }),
    );
    expect(read.plan).toEqual({
      name: 'Monthly',
      intervalLength: 1,
      intervalUnit: 'month',
      paymentsCount: 12,
      dayOfMonth: 31,
      delayedFirstPayment: 'day_of_week',
      firstPaymentDayOfWeek: 1,
    });
    const first = firstCharge(read.plan, { initDate: '2026-11-20' });
    expect([0, 3].map((n) => calendarDate(read.plan, first, n))).toEqual(['2026-11-23', '2027-02-28']);
  });

  it('has a valid last date for the largest numbers', () => {
    for (const [unit, length, count] of [
      ['month', '9999', '1'],
      ['month', '1', '9999'],
      ['day', '9999', '36'],
    ] as const) {
      const fields = { interval_unit: unit, interval_length: length, payments_count: count };
      const { plan: schedule } = createScheduleSchema.parse(changed(create, fields));
      const delay = { delayedFirstPayment: 'delay_by_interval', firstPaymentIntervalUnit: 'month' } as const;
      const far = { ...schedule, ...delay, firstPaymentIntervalLength: 9999 };
      const first = firstCharge(far, { initDate: '2099-12-31' });
      expect(calendarDate(far, first, schedule.paymentsCount - 1)).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    }
  });
});

describe('UPDATE_SCHEDULE', () => {
  const table = rowsOf(`
    schedule_id           | -                 | schedule_id: blank
    schedule_id           | abc               | schedule_id: no UUID
    name                  | x*101             | name: not valid
    interval_length       | 0                 | interval_length: positive
    interval_unit         | day               | ok
    day_of_month          | 5                 | ok
    delayed_first_payment | delay_by_interval | ok
    delays                | 0                 | delays: Parameter is deprecated.`);
  it.each(table)('%s = %s: %s', (field, cell, verdict) => {
    const body = changed({ ...known, schedule_id: id }, { [field as string]: readCell(cell as string) });
    expect(verdictOf(updateScheduleSchema, body)).toBe(verdict);
  });

  it('contains only the sent fields', () => {
    const read = (changes: object) =>
      updateScheduleSchema.parse(changed({ ...known, schedule_id: id }, changes)).changes;
    expect(read({})).toEqual({});
    expect(read({ name: '', payments_count: '6' })).toEqual({ paymentsCount: 6 });
  });

  it('is checked together with the unchanged fields', () => {
    const schedule = {
      name: 'Monthly',
      intervalLength: 1,
      intervalUnit: 'month',
      dayOfMonth: 31,
      paymentsCount: 12,
      delayedFirstPayment: 'none',
      firstPaymentDayOfWeek: null,
    } as const;
    const errorPathsWith = (changes: object) => planErrors(changedPlan(schedule, changes)).map(({ path }) => path);
    expect(errorPathsWith({ delayedFirstPayment: 'day_of_week' })).toEqual(['first_payment_day_of_week']);
    expect(errorPathsWith({ delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: 3 })).toEqual([]);
    expect(errorPathsWith({ intervalLength: 9999 })).toEqual(['payments_count']);
    expect(errorPathsWith({ intervalUnit: 'day', dayOfMonth: 3 })).toEqual(['day_of_month']);
    expect(errorPathsWith({ intervalUnit: 'day' })).toEqual([]);
    expect(changedPlan(schedule, { intervalUnit: 'day' }).dayOfMonth).toBeNull();
    expect(changedPlan(schedule, { name: 'Other' })).toEqual({ ...schedule, name: 'Other' });
  });
});

describe('the other schedule actions', () => {
  // field | value | PAUSE, RUN, DELETE, INFO | DESCHEDULE
  const table = rowsOf(`
    client_key      | -     | client_key: blank    | client_key: blank
    schedule_id     | -     | schedule_id: blank   | schedule_id: blank
    schedule_id     | ""    | schedule_id: blank   | schedule_id: blank
    schedule_id     | abc   | schedule_id: no UUID | schedule_id: no UUID
    schedule_id     | ${id}0 | schedule_id: no UUID | schedule_id: no UUID
    schedule_id     | ${id.toUpperCase()} | ok   | ok
    recurring_token | -     | ok                   | recurring_token: blank
    recurring_token | x*256 | ok                   | recurring_token: not valid
    delays          | 1     | ok                   | ok`);
  it.each(table)('%s = %s', (field, cell, plain, deschedule) => {
    const base = { ...known, schedule_id: id, recurring_token: 'b'.repeat(32) };
    const body = changed(base, { [field as string]: readCell(cell as string) });
    expect(verdictOf(scheduleSchema, body)).toBe(plain);
    expect(verdictOf(descheduleSchema, body)).toBe(deschedule);
  });
});

describe('the error message', () => {
  const headline = (body: object) => {
    const parsed = createScheduleSchema.safeParse(changed(create, body));
    if (parsed.success) return 'taken';
    try {
      return throwFieldErrors(fieldErrorsOf(parsed.error));
    } catch (refusal) {
      return renderApiError(refusal as ApiError).body.error_message;
    }
  };

  it("is the contract's for a deprecated parameter and for a malformed id", () => {
    expect(headline({ delays: '1', name: '' })).toBe('Parameter is deprecated.');
    expect(headline({ schedule_id: 'abc' })).toBe('This is not a valid UUID.');
    expect(headline({ schedule_id: 'abc', name: '' })).toBe('Request data is invalid.');
    expect(headline({})).toBe('taken');
  });
});
