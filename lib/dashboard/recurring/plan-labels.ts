/** A schedule's plan as sentences, and as form fields. */

import type { IntervalUnit, SchedulePlan } from '../../core/recurrence';
import type { Schedule } from '../../schedules';
import type { PlanFields } from '../lists/contract';

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
export function planFields(schedule: Schedule): PlanFields {
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
