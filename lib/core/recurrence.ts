/**
 * The dates on which a schedule charges (interface.md, Schedule; protocol.md 5). Dates have no time of day, so time
 * zones and daylight saving cannot move a payment. Each date is counted from the first, so month ends do not drift (31
 * January, 28 February, 31 March).
 */
import { daysInMonth, isDate, isoDay } from './dates.ts';

export const intervalUnits = ['day', 'month'] as const;
export type IntervalUnit = (typeof intervalUnits)[number];

export const firstPaymentDelays = ['none', 'delay_by_interval', 'day_of_week', 'day_of_month'] as const;
export type DelayedFirstPayment = (typeof firstPaymentDelays)[number];

/** The parts of a schedule that determine its dates. Lengths, counts and days are integers above 0. */
export type SchedulePlan = {
  intervalLength: number;
  intervalUnit: IntervalUnit;
  /** 1..31, with months only: the day of every payment counted in months. */
  dayOfMonth?: number | null;
  paymentsCount: number;
  /** Defaults to `none`. */
  delayedFirstPayment?: DelayedFirstPayment | null;
  firstPaymentIntervalLength?: number | null;
  firstPaymentIntervalUnit?: IntervalUnit | null;
  /** 1..7, Monday is 1. */
  firstPaymentDayOfWeek?: number | null;
  /** 1..31. */
  firstPaymentDayOfMonth?: number | null;
};

/** The start of a recurrence, as `YYYY-MM-DD`. */
export type RecurrenceStart = {
  /** The day of the initial payment, in UTC. */
  initDate: string;
  /** `schedule_start_date`: the exact day of the first scheduled payment; overrides `delayed_first_payment`. */
  startDate?: string | null;
};

/**
 * The first scheduled payment. Stored with a subscription, because a later update of its schedule must not change the
 * reported `first_recurring_date`. `dayOfMonth` is the intended day: 31 even if the month only had 28.
 */
export type FirstCharge = { date: string; dayOfMonth: number };

/**
 * The date of the first automatic charge (`first_recurring_date`). The payer made the initial payment, which is not one
 * of the scheduled ones; therefore `none` does not mean today:
 * - `schedule_start_date`: exactly that day.
 * - `none`: one interval after the initial payment; with `day_of_month`, on that day of the month one interval later.
 * - `delay_by_interval`: its own interval after the initial payment, in place of the schedule's.
 * - `day_of_week`, `day_of_month`: the next such day after the initial payment's day, never that day itself.
 *
 * A day that a month lacks becomes its last day. Throws a RangeError for a plan without the fields of its delay, or for
 * invalid dates: requests are validated before they become plans.
 */
export function firstCharge(plan: SchedulePlan, { initDate, startDate }: RecurrenceStart): FirstCharge {
  if (startDate) return exactly(existingDate(startDate));
  const init = existingDate(initDate);
  const dayOfInit = dayOf(init);
  switch (plan.delayedFirstPayment ?? 'none') {
    case 'none':
      return after(init, plan.intervalLength, plan.intervalUnit, plan.dayOfMonth ?? dayOfInit);
    case 'delay_by_interval': {
      const length = requireValue(plan.firstPaymentIntervalLength, 'firstPaymentIntervalLength');
      return after(init, length, requireValue(plan.firstPaymentIntervalUnit, 'firstPaymentIntervalUnit'), dayOfInit);
    }
    case 'day_of_week': {
      const weekday = requireValue(plan.firstPaymentDayOfWeek, 'firstPaymentDayOfWeek');
      return exactly(addDays(init, ((weekday - weekdayOf(init) + 6) % 7) + 1));
    }
    case 'day_of_month':
      return nextDayOfMonth(init, requireValue(plan.firstPaymentDayOfMonth, 'firstPaymentDayOfMonth'));
  }
}

/**
 * Position `n` (0 or more) of a plan's calendar, as `YYYY-MM-DD`: `n` intervals after the first charge. Counted in
 * months it falls on `day_of_month`, or else on the intended day of the first charge; a month without that day uses its
 * last day. The calendar has no end: `paymentsCount` limits the charges, which an update of the plan may move to later
 * positions.
 */
export function calendarDate(plan: SchedulePlan, first: FirstCharge, n: number): string {
  if (n <= 0) return existingDate(first.date);
  const { intervalLength, intervalUnit } = plan;
  if (intervalUnit === 'day') return addDays(first.date, n * intervalLength);
  return dayIn(monthOf(existingDate(first.date)) + n * intervalLength, plan.dayOfMonth ?? first.dayOfMonth);
}

/** The date one interval of the plan after `date`; a day that the month lacks becomes its last day. */
export function intervalAfter({ intervalLength, intervalUnit }: SchedulePlan, date: string): string {
  return after(existingDate(date), intervalLength, intervalUnit, dayOf(date)).date;
}

/** A calendar position that is certainly before `date`, at least 0: the start of a forward search. */
export function positionBefore(
  { intervalLength, intervalUnit }: SchedulePlan,
  first: FirstCharge,
  date: string,
): number {
  const units =
    intervalUnit === 'day'
      ? (midnight(date).getTime() - midnight(first.date).getTime()) / 86_400_000
      : monthOf(date) - monthOf(first.date);
  return Math.max(0, Math.floor(units / intervalLength) - 1);
}

function exactly(date: string): FirstCharge {
  return { date, dayOfMonth: dayOf(date) };
}

function after(init: string, length: number, unit: IntervalUnit, dayOfMonth: number): FirstCharge {
  if (unit === 'day') return exactly(addDays(init, length));
  return { date: dayIn(monthOf(init) + length, dayOfMonth), dayOfMonth };
}

function nextDayOfMonth(init: string, dayOfMonth: number): FirstCharge {
  const inThisMonth = dayIn(monthOf(init), dayOfMonth);
  return { date: inThisMonth > init ? inThisMonth : dayIn(monthOf(init) + 1, dayOfMonth), dayOfMonth };
}

const dayOf = (date: string) => Number(date.slice(8));

/** Months since the year 0, so that arithmetic needs no special case for the end of a year. */
const monthOf = (date: string) => Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;

/** 1..7, Monday is 1. */
const weekdayOf = (date: string) => midnight(date).getUTCDay() || 7;

/** A day of a month, or the month's last day if it has no such day. */
function dayIn(months: number, day: number): string {
  const [year, month] = [Math.floor(months / 12), (months % 12) + 1];
  if (year > 9999) throw new RangeError('The date lies after the year 9999');
  const inMonth = Math.min(day, daysInMonth(year, month));
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(inMonth).padStart(2, '0')}`;
}

// Days are counted in UTC, where each has 24 hours.
function addDays(date: string, days: number): string {
  return existingDate(isoDay(new Date(midnight(date).getTime() + days * 86_400_000)));
}

function midnight(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function existingDate(date: string): string {
  if (!isDate(date)) throw new RangeError(`No such date: ${date}`);
  return date;
}

function requireValue<T>(value: T | null | undefined, name: string): T {
  if (value === null || value === undefined) throw new RangeError(`The plan has no ${name}`);
  return value;
}
