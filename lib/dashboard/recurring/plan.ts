/** A schedule's plan as sentences and form fields, and its next charges, computed with the functions that charge. */
import { Temporal } from 'temporal-polyfill';
import { isoDay } from '../../core/dates.ts';
import { fieldErrorTexts } from '../../core/errors.ts';
import { firstCharge, type IntervalUnit, type SchedulePlan } from '../../core/recurrence.ts';
import { planSchema } from '../../protocols/index.ts';
import { plannedAt, type Schedule, type SlotState } from '../../schedules/index.ts';
import { invalid } from '../errors.ts';
import { amountText } from '../labels.ts';

export const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const;

/** `1 month`, `14 days`. */
function lengthText(length: number, unit: IntervalUnit): string {
  return `${length} ${unit}${length === 1 ? '' : 's'}`;
}

/** `Every month on day 31`, `Every 14 days`. */
export function intervalText({ intervalLength, intervalUnit, dayOfMonth }: SchedulePlan): string {
  const every = intervalLength === 1 ? `Every ${intervalUnit}` : `Every ${lengthText(intervalLength, intervalUnit)}`;
  return dayOfMonth ? `${every} on day ${dayOfMonth}` : every;
}

/** `12 payments`. */
export function paymentsText({ paymentsCount }: SchedulePlan): string {
  return paymentsCount === 1 ? '1 payment' : `${paymentsCount} payments`;
}

/** When the first scheduled payment is due, counted from the initial payment. */
export function firstPaymentText(plan: SchedulePlan): string {
  switch (plan.delayedFirstPayment ?? 'none') {
    case 'none':
      return `${lengthText(plan.intervalLength, plan.intervalUnit)} after the initial payment`;
    case 'delay_by_interval':
      return `${lengthText(plan.firstPaymentIntervalLength ?? 0, plan.firstPaymentIntervalUnit ?? 'day')} after the initial payment`;
    case 'day_of_week':
      return `Next ${weekdays[(plan.firstPaymentDayOfWeek ?? 1) - 1]} after the initial payment`;
    case 'day_of_month':
      return `Next day ${plan.firstPaymentDayOfMonth} of a month after the initial payment`;
  }
}

/** The plan under the contract's names, with empty texts for absent fields. */
export function planFields(schedule: Schedule) {
  const text = (value: string | number | null | undefined) => (value == null ? '' : String(value));
  return {
    name: schedule.name,
    interval_length: text(schedule.intervalLength),
    interval_unit: schedule.intervalUnit,
    payments_count: text(schedule.paymentsCount),
    day_of_month: text(schedule.dayOfMonth),
    delayed_first_payment: text(schedule.delayedFirstPayment ?? 'none'),
    first_payment_interval_length: text(schedule.firstPaymentIntervalLength),
    first_payment_interval_unit: text(schedule.firstPaymentIntervalUnit),
    first_payment_day_of_week: text(schedule.firstPaymentDayOfWeek),
    first_payment_day_of_month: text(schedule.firstPaymentDayOfMonth),
  };
}

/** Reads a whole plan by the contract's names; an error has a sentence for each invalid field. */
export function readPlan(body: unknown) {
  const parsed = planSchema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= sentenceOf(path.join('.'), message);
  throw invalid(fields, 'The plan is not valid.');
}

// The contract's texts are short; the form's texts also say what to enter.
function sentenceOf(field: string, text: string): string {
  if (text === fieldErrorTexts.blank)
    return field === 'name' ? 'Enter a name of up to 100 characters.' : 'Enter a value.';
  if (text === fieldErrorTexts.positive) return 'Enter a whole number above 0.';
  return hints[field] ?? 'Choose one of the values.';
}

const hints: Record<string, string> = {
  name: 'Enter a name of up to 100 characters.',
  interval_length: 'Enter a whole number from 1 to 9999.',
  payments_count: 'Enter a whole number from 1 to 9999 with which the schedule ends within 1,000 years.',
  day_of_month: 'Enter a day from 1 to 31, and only with months.',
  first_payment_interval_length: 'Enter a whole number from 1 to 9999.',
  first_payment_day_of_month: 'Enter a day from 1 to 31.',
};

const rowsMax = 12;
const monthsShown = 12;

/** The inputs that determine a subscription's dates. */
export type PreviewProgress = SlotState & { retries: number };

/** The subscription that a payment at `begins` would start. */
export function startedAt(plan: SchedulePlan, begins: Date): PreviewProgress {
  const first = firstCharge(plan, { initDate: isoDay(begins) });
  const fresh = { done: 0, retries: 0, shift: 0, begunSlot: null, begunFor: null, begunAt: null, catchUpAt: null };
  return { firstDate: first.date, firstDay: first.dayOfMonth, createdAt: begins, ...fresh };
}

type PreviewInput = {
  plan: SchedulePlan;
  counted: PreviewProgress;
  /** The amount of each charge; null if unknown. */
  money: { minor: bigint; currency: string } | null;
  /** The retry time of the next slot if its first attempt was declined. */
  againAt: Date | null;
  now: Date;
};

/** The next charges, and the calendar from the month of the next charge. */
export function buildPreview(input: PreviewInput) {
  const { plan, counted, money, now } = input;
  const dateOf = (slot: number) => {
    const due = plannedAt(plan, counted, slot);
    return due && isoDay(due);
  };
  const rows = [];
  for (let at = 0; at < rowsMax; at += 1) {
    const slot = counted.done + at;
    const date = dateOf(slot);
    if (date === null) break;
    rows.push({
      /** 1 is the first payment of the schedule. */
      number: slot + 1,
      date,
      weekday: new Date(date).toLocaleDateString('en', { weekday: 'short', timeZone: 'UTC' }),
      amount: money && amountText(money.minor, money.currency),
      total: money && amountText(money.minor * BigInt(at + 1), money.currency),
      note: noteOf(input, slot, date),
    });
  }
  const months = monthsFrom(rows[0]?.date ?? isoDay(now), isoDay(now));
  const days = daysWithin(months, counted.done, dateOf);
  return {
    rows,
    more: dateOf(counted.done + rowsMax) !== null,
    /** The twelve months of the calendar as `YYYY-MM`, and the days with a charge. */
    months,
    days,
    today: isoDay(now),
    /** What a subscriber pays within those months. */
    yearly: money && amountText(money.minor * BigInt(days.length), money.currency),
    currency: money?.currency ?? null,
    /** `06:00`, in UTC: the hour of the initial payment. */
    hour: counted.createdAt.toISOString().slice(11, 16),
  };
}

function noteOf({ plan, counted, againAt }: PreviewInput, slot: number, date: string): string | null {
  const notes: string[] = [];
  if (slot === 0) notes.push('First payment');
  const intendedDay =
    slot > 0 ? (plan.intervalUnit === 'month' ? (plan.dayOfMonth ?? counted.firstDay) : null) : counted.firstDay;
  if (intendedDay !== null && intendedDay > Number(date.slice(8))) {
    const month = new Date(date).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' });
    notes.push(`${slot === 0 ? '' : 'day '}${intendedDay} is not in ${month}, charged on the last day`);
  }
  if (slot === counted.done && againAt) {
    const attempts = counted.retries === 1 ? 'declined once' : `declined ${counted.retries} times`;
    notes.push(`${attempts}, retry on ${momentText(againAt)}`);
  }
  const text = notes.join('; ');
  return text === '' ? null : text.charAt(0).toUpperCase() + text.slice(1);
}

/** `21 Nov 2026, 20:41 UTC`. */
function momentText(at: Date): string {
  const month = at.toLocaleDateString('en', { month: 'short', timeZone: 'UTC' });
  return `${at.getUTCDate()} ${month} ${at.getUTCFullYear()}, ${at.toISOString().slice(11, 16)} UTC`;
}

/** Twelve months from the current one, or from the first charge if it is later. */
function monthsFrom(firstDate: string, today: string): string[] {
  const [first, current] = [Temporal.PlainYearMonth.from(firstDate), Temporal.PlainYearMonth.from(today)];
  const start = current.until(first, { largestUnit: 'months' }).months < monthsShown ? current : first;
  return Array.from({ length: monthsShown }, (_, at) => start.add({ months: at }).toString());
}

function daysWithin(months: string[], done: number, dateOf: (slot: number) => string | null): string[] {
  const last = months.at(-1) ?? '';
  const days: string[] = [];
  for (let slot = done; ; slot += 1) {
    const date = dateOf(slot);
    if (date === null || date.slice(0, 7) > last) return days;
    days.push(date);
  }
}
