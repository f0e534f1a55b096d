// A merchant's schedules as the merchant knows them, and the dates of a plan by the contract, computed without the
// service's own code.

const day = 86_400_000;

type Unit = 'day' | 'month';

/** The fields of CREATE_SCHEDULE that decide the dates. */
export type Plan = {
  interval_length: number;
  interval_unit: Unit;
  payments_count: number;
  delayed_first_payment?: 'none' | 'delay_by_interval' | 'day_of_week';
  first_payment_interval_length?: number;
  first_payment_interval_unit?: Unit;
  first_payment_day_of_week?: number;
};

/**
 * A change of a schedule that the merchant has asked for. `at`: when it was answered; `isSure`: whether it was executed
 * once, at that time; `isAccepted`: whether the answer was a success.
 */
export type Edit = { action: string; at: number; isSure: boolean; isAccepted: boolean; changes: Partial<Plan> };

/** A schedule with its first plan, the order of its initial payment, and the amount of each charge. */
export type MerchantSchedule = { id: string; order: string; plan: Plan; amount: string; edits: Edit[] };

/** The time of the first charge, and its intended day of the month. */
export type First = { at: number; dayOfMonth: number };

const dayOf = (at: number) => new Date(at).getUTCDate();

/** `months` later on `dayOfMonth`, or on the last day of a shorter month, at the same time of day. */
function addMonths(at: number, months: number, dayOfMonth: number): number {
  const date = new Date(at);
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(dayOfMonth, last));
}

/** `length` units later. */
const add = (at: number, length: number, unit: Unit, dayOfMonth = dayOf(at)) =>
  unit === 'day' ? at + length * day : addMonths(at, length, dayOfMonth);

/** The first charge of a payment that was made at `start`. */
export function firstOf(plan: Plan, start: number): First {
  const { interval_length: length, interval_unit: unit, first_payment_day_of_week: weekday = 1 } = plan;
  switch (plan.delayed_first_payment) {
    case 'delay_by_interval': {
      const { first_payment_interval_length: own = 1, first_payment_interval_unit: ownUnit = 'day' } = plan;
      return { at: add(start, own, ownUnit), dayOfMonth: dayOf(ownUnit === 'day' ? add(start, own, 'day') : start) };
    }
    case 'day_of_week': {
      const at = start + (((weekday - new Date(start).getUTCDay() + 6) % 7) + 1) * day;
      return { at, dayOfMonth: dayOf(at) };
    }
    default:
      return { at: add(start, length, unit), dayOfMonth: dayOf(unit === 'day' ? add(start, length, 'day') : start) };
  }
}

/** The time of a position of the plan's calendar, counted from 0. */
export const timeOf = (plan: Plan, first: First, position: number) =>
  add(first.at, position * plan.interval_length, plan.interval_unit, first.dayOfMonth);

/** One interval later. */
export const afterInterval = ({ interval_length, interval_unit }: Plan, at: number) =>
  add(at, interval_length, interval_unit);
