import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { daysInMonth, isDate } from './dates.ts';
import {
  calendarDate,
  type DelayedFirstPayment,
  type FirstCharge,
  firstCharge,
  type SchedulePlan,
} from './recurrence.ts';

/** `1 month`, then `none`, `2 month`, `weekday 3` or `day 31`, then the days of the plan itself: `on 15`. */
function planOf(interval: string, delay: string, paymentsCount: number): SchedulePlan {
  const [length, unit, , dayOfMonth] = interval.split(' ');
  const [first, second] = delay.split(' ');
  const plan: SchedulePlan = {
    intervalLength: Number(length),
    intervalUnit: unit as 'day' | 'month',
    dayOfMonth: dayOfMonth === undefined ? null : Number(dayOfMonth),
    paymentsCount,
  };
  if (first === 'none') return plan;
  if (first === 'weekday') {
    return { ...plan, delayedFirstPayment: 'day_of_week', firstPaymentDayOfWeek: Number(second) };
  }
  if (first === 'day') return { ...plan, delayedFirstPayment: 'day_of_month', firstPaymentDayOfMonth: Number(second) };
  const own = { firstPaymentIntervalLength: Number(first), firstPaymentIntervalUnit: second as 'day' | 'month' };
  return { ...plan, delayedFirstPayment: 'delay_by_interval', ...own };
}

function rowsOf(table: string): string[][] {
  return table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
}

/** All dates of a plan. */
const datesFrom = (plan: SchedulePlan, first: FirstCharge) =>
  Array.from({ length: plan.paymentsCount }, (_, n) => calendarDate(plan, first, n));

describe('the dates of a schedule', () => {
  // initial payment, start date | interval | delay | dates
  const table = rowsOf(`
    2026-01-15            | 1 month        | none      | 2026-02-15 2026-03-15 2026-04-15
    2026-01-31            | 1 month        | none      | 2026-02-28 2026-03-31 2026-04-30 2026-05-31
    2028-01-31            | 1 month        | none      | 2028-02-29 2028-03-31
    2026-01-29            | 1 month        | none      | 2026-02-28 2026-03-29
    2026-12-31            | 2 month        | none      | 2027-02-28 2027-04-30 2027-06-30 2027-08-31
    2024-02-29            | 12 month       | none      | 2025-02-28 2026-02-28 2027-02-28 2028-02-29
    2026-11-20            | 1 day          | none      | 2026-11-21 2026-11-22
    2026-11-20            | 14 day         | none      | 2026-12-04 2026-12-18 2027-01-01
    2028-02-27            | 1 day          | none      | 2028-02-28 2028-02-29 2028-03-01
    2027-02-27            | 1 day          | none      | 2027-02-28 2027-03-01
    1999-12-30            | 1 month        | none      | 2000-01-30 2000-02-29 2000-03-30
    2099-12-31            | 2 month        | none      | 2100-02-28 2100-04-30
    2026-11-20            | 1 month on 1   | none      | 2026-12-01 2027-01-01 2027-02-01
    2026-11-20            | 1 month on 31  | none      | 2026-12-31 2027-01-31 2027-02-28 2027-03-31
    2026-11-20            | 3 month on 20  | none      | 2027-02-20 2027-05-20
    2026-11-20            | 1 month        | 3 day     | 2026-11-23 2026-12-23 2027-01-23
    2026-11-20            | 7 day          | 2 month   | 2027-01-20 2027-01-27 2027-02-03
    2026-01-31            | 1 month        | 1 month   | 2026-02-28 2026-03-31 2026-04-30
    2026-01-31            | 10 day         | 1 month   | 2026-02-28 2026-03-10 2026-03-20
    2026-11-20            | 1 month on 5   | 10 day    | 2026-11-30 2026-12-05 2027-01-05
    2026-11-20            | 7 day          | weekday 1 | 2026-11-23 2026-11-30
    2026-11-20            | 7 day          | weekday 5 | 2026-11-27 2026-12-04
    2026-11-20            | 7 day          | weekday 6 | 2026-11-21 2026-11-28
    2026-11-20            | 7 day          | weekday 7 | 2026-11-22 2026-11-29
    2026-01-29            | 1 month        | weekday 6 | 2026-01-31 2026-02-28 2026-03-31
    2026-11-20            | 1 month        | day 21    | 2026-11-21 2026-12-21
    2026-11-20            | 1 month        | day 20    | 2026-12-20 2027-01-20
    2026-11-20            | 1 month        | day 1     | 2026-12-01 2027-01-01
    2026-01-31            | 1 month        | day 31    | 2026-02-28 2026-03-31 2026-04-30
    2026-02-28            | 1 month        | day 31    | 2026-03-31 2026-04-30
    2026-02-27            | 1 month        | day 31    | 2026-02-28 2026-03-31
    2026-12-31            | 30 day         | day 31    | 2027-01-31 2027-03-02
    2026-11-20 2027-01-31 | 1 month        | none      | 2027-01-31 2027-02-28 2027-03-31
    2026-11-20 2027-01-31 | 1 month        | day 5     | 2027-01-31 2027-02-28 2027-03-31
    2026-11-20 2026-11-20 | 7 day          | weekday 1 | 2026-11-20 2026-11-27
    2026-11-20 2027-01-10 | 1 month on 15  | none      | 2027-01-10 2027-02-15 2027-03-15`);
  it.each(table)('%s, every %s, %s: %s', (days, interval, delay, expected) => {
    const dates = (expected as string).split(' ');
    const [initDate = '', startDate] = (days as string).split(' ');
    const plan = planOf(interval as string, delay as string, dates.length);
    expect(datesFrom(plan, firstCharge(plan, { initDate, startDate }))).toEqual(dates);
  });

  it('fall on the requested weekday, one to seven days after every day of a week', () => {
    for (let day = 16; day <= 22; day += 1) {
      for (let weekday = 1; weekday <= 7; weekday += 1) {
        const { date } = firstCharge(planOf('1 month', `weekday ${weekday}`, 1), { initDate: `2026-11-${day}` });
        const found = new Date(`${date}T00:00:00Z`);
        expect(found.getUTCDay() || 7).toBe(weekday);
        const ahead = (found.getTime() - Date.UTC(2026, 10, day)) / 86_400_000;
        expect(ahead >= 1 && ahead <= 7).toBe(true);
      }
    }
  });

  it('keep the reported date when the schedule changes', () => {
    const first = firstCharge(planOf('1 month', 'none', 12), { initDate: '2026-01-31' });
    expect(first).toEqual({ date: '2026-02-28', dayOfMonth: 31 });
    expect(datesFrom(planOf('2 month', 'weekday 3', 3), first)).toEqual(['2026-02-28', '2026-04-30', '2026-06-30']);
  });

  it('are rejected if they do not exist', () => {
    const monthly = planOf('1 month', 'none', 3);
    expect(() => firstCharge(monthly, { initDate: '2026-02-30' })).toThrow(RangeError);
    expect(() => firstCharge(monthly, { initDate: '9999-12-31' })).toThrow(RangeError);
    expect(() => firstCharge(planOf('1 day', 'none', 3), { initDate: '9999-12-31' })).toThrow(RangeError);
  });

  const kinds: DelayedFirstPayment[] = ['delay_by_interval', 'day_of_week', 'day_of_month'];
  it.each(kinds)('need the fields of %s', (delayedFirstPayment) => {
    const plan = { ...planOf('1 month', 'none', 1), delayedFirstPayment };
    expect(() => firstCharge(plan, { initDate: '2026-11-20' })).toThrow(RangeError);
    expect(firstCharge(plan, { initDate: '2026-11-20', startDate: '2026-12-01' }).date).toBe('2026-12-01');
  });
});

describe('100,000 schedules', () => {
  const dates = fc
    .tuple(fc.integer({ min: 1990, max: 2110 }), fc.integer({ min: 1, max: 12 }), fc.integer({ min: 1, max: 31 }))
    .map(([year, month, day]) => {
      const inMonth = Math.min(day, daysInMonth(year, month));
      return `${year}-${String(month).padStart(2, '0')}-${String(inMonth).padStart(2, '0')}`;
    });
  const units = fc.constantFrom('day' as const, 'month' as const);
  const plans = fc.record({
    intervalLength: fc.integer({ min: 1, max: 40 }),
    intervalUnit: units,
    dayOfMonth: fc.option(fc.integer({ min: 1, max: 31 })),
    paymentsCount: fc.integer({ min: 1, max: 12 }),
    delayedFirstPayment: fc.constantFrom<DelayedFirstPayment[]>(
      'none',
      'delay_by_interval',
      'day_of_week',
      'day_of_month',
    ),
    firstPaymentIntervalLength: fc.integer({ min: 1, max: 40 }),
    firstPaymentIntervalUnit: units,
    firstPaymentDayOfWeek: fc.integer({ min: 1, max: 7 }),
    firstPaymentDayOfMonth: fc.integer({ min: 1, max: 31 }),
  });
  const starts = fc.record({ initDate: dates, startDate: fc.option(dates) });

  const partsOf = (date: string) => date.split('-').map(Number) as [number, number, number];
  const monthOf = (date: string) => partsOf(date)[0] * 12 + partsOf(date)[1] - 1;
  const dayNumber = (date: string) => Date.parse(`${date}T00:00:00Z`) / 86_400_000;
  const clamped = (month: number, day: number) => Math.min(day, daysInMonth(Math.floor(month / 12), (month % 12) + 1));

  /** Uses integers only, so that it shares nothing with the tested code. */
  function faultOf(plan: SchedulePlan, start: { initDate: string; startDate: string | null }): string | null {
    const first = firstCharge(plan, start);
    const found = datesFrom(plan, first);
    if (start.startDate ? found[0] !== start.startDate : (found[0] as string) <= start.initDate) return 'start';
    if (partsOf(first.date)[2] !== clamped(monthOf(first.date), first.dayOfMonth)) return 'first day';
    for (const [n, date] of found.entries()) {
      if (!isDate(date)) return `date ${n}`;
      if (n === 0) continue;
      if (date <= (found[n - 1] as string)) return `order ${n}`;
      if (plan.intervalUnit === 'day') {
        if (dayNumber(date) - dayNumber(first.date) !== n * plan.intervalLength) return `days ${n}`;
        continue;
      }
      const month = monthOf(first.date) + n * plan.intervalLength;
      const day = clamped(month, plan.dayOfMonth ?? first.dayOfMonth);
      if (monthOf(date) !== month || partsOf(date)[2] !== day) return `months ${n}`;
    }
    return null;
  }

  it('are monotone, counted from the first, clamped', () => {
    fc.assert(
      fc.property(plans, starts, (plan, start) => {
        const error = faultOf(plan, start);
        if (error) throw new Error(error);
      }),
      { numRuns: 100_000 },
    );
  }, 120_000);

  it('agree with the calendar of the platform', () => {
    fc.assert(
      fc.property(plans, dates, fc.nat(11), (plan, startDate, n) => {
        const anyDay = { ...plan, dayOfMonth: null };
        const first = firstCharge(anyDay, { initDate: startDate, startDate });
        const length = n * plan.intervalLength;
        const interval = plan.intervalUnit === 'day' ? { days: length } : { months: length };
        const expected = Temporal.PlainDate.from(startDate).add(interval).toString();
        expect(calendarDate(anyDay, first, n)).toBe(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
