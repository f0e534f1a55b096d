/** A schedule's plan as sentences, as form fields, and as a form sends it. */
import { fieldErrorTexts } from '../../core/errors.ts';
import type { IntervalUnit, SchedulePlan } from '../../core/recurrence.ts';
import { planSchema } from '../../protocols/index.ts';
import type { Schedule } from '../../schedules/index.ts';
import { invalid } from '../errors.ts';

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
