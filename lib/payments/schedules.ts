/**
 * Schedules: made, changed, paused and deleted by the merchant, and followed by the subscriptions of their payers. A
 * schedule says when; what is charged and to which card is the business of its subscriptions.
 */
import { v5 } from 'uuid';
import { isoDay } from '../core/dates';
import { type ErrorKey, refuse } from '../core/errors';
import { firstCharge, recurrenceFrom, type SchedulePlan } from '../core/recurrence';
import { query } from '../db';
import type { Move } from './advance';
import { isUuid, newId } from './ids';
import type { Payment } from './payment';

/** A schedule as its merchant made it. */
export type Schedule = SchedulePlan & { id: string; name: string; paused: boolean };

export type ScheduleRow = {
  id: string;
  name: string;
  interval_length: number;
  interval_unit: Schedule['intervalUnit'];
  day_of_month: number | null;
  payments_count: number;
  delayed_first_payment: NonNullable<Schedule['delayedFirstPayment']>;
  first_payment_interval_length: number | null;
  first_payment_interval_unit: Schedule['intervalUnit'] | null;
  first_payment_day_of_week: number | null;
  first_payment_day_of_month: number | null;
  paused: boolean;
};

export const scheduleColumns = `id, name, interval_length, interval_unit::text, day_of_month, payments_count,
  delayed_first_payment::text, first_payment_interval_length, first_payment_interval_unit::text,
  first_payment_day_of_week, first_payment_day_of_month, paused`;

/** A merchant's schedule; deleted ones and those of other merchants are not found. */
export async function findSchedule(merchantId: string, scheduleId: string): Promise<Schedule | null> {
  if (!isUuid(scheduleId)) return null;
  const [row] = await query<ScheduleRow>(
    'schedule-find',
    `select ${scheduleColumns} from schedules where id = $1 and merchant_id = $2 and deleted_at is null`,
    [scheduleId, merchantId],
  );
  return row ? toSchedule(row) : null;
}

export function toSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    name: row.name,
    intervalLength: row.interval_length,
    intervalUnit: row.interval_unit,
    dayOfMonth: row.day_of_month,
    paymentsCount: row.payments_count,
    delayedFirstPayment: row.delayed_first_payment,
    firstPaymentIntervalLength: row.first_payment_interval_length,
    firstPaymentIntervalUnit: row.first_payment_interval_unit,
    firstPaymentDayOfWeek: row.first_payment_day_of_week,
    firstPaymentDayOfMonth: row.first_payment_day_of_month,
    paused: row.paused,
  };
}

/** Whether the merchant has this schedule. */
export async function hasSchedule(merchantId: string, scheduleId: string): Promise<boolean> {
  return (await findSchedule(merchantId, scheduleId)) !== null;
}

export type ScheduleInput = SchedulePlan & { name: string };

function planValues(plan: ScheduleInput): unknown[] {
  return [
    plan.name,
    plan.intervalLength,
    plan.intervalUnit,
    plan.dayOfMonth ?? null,
    plan.paymentsCount,
    plan.delayedFirstPayment ?? 'none',
    plan.firstPaymentIntervalLength ?? null,
    plan.firstPaymentIntervalUnit ?? null,
    plan.firstPaymentDayOfWeek ?? null,
    plan.firstPaymentDayOfMonth ?? null,
  ];
}

/** Makes a schedule, under the merchant's own id if one is given. Null when that id is taken. */
export async function createSchedule(
  merchantId: string,
  input: ScheduleInput & { id?: string },
  now: Date,
): Promise<Schedule | null> {
  const [row] = await query<ScheduleRow>(
    'schedule-create',
    `insert into schedules (id, merchant_id, created_at, name, interval_length, interval_unit, day_of_month,
       payments_count, delayed_first_payment, first_payment_interval_length, first_payment_interval_unit,
       first_payment_day_of_week, first_payment_day_of_month)
     values ($1, $2, $3, $4, $5, $6::"IntervalUnit", $7, $8, $9::"DelayedFirstPayment", $10, $11::"IntervalUnit", $12, $13)
     on conflict (id) do nothing returning ${scheduleColumns}`,
    [input.id ?? newId(), merchantId, now, ...planValues(input)],
  );
  return row ? toSchedule(row) : null;
}

/** Replaces a schedule's plan. Later payments of its subscriptions follow the new one, counted from their first. */
export async function updateSchedule(schedule: Schedule, input: ScheduleInput, now: Date): Promise<void> {
  await query(
    'schedule-update',
    `update schedules set name = $2, interval_length = $3, interval_unit = $4::"IntervalUnit", day_of_month = $5,
       payments_count = $6, delayed_first_payment = $7::"DelayedFirstPayment", first_payment_interval_length = $8,
       first_payment_interval_unit = $9::"IntervalUnit", first_payment_day_of_week = $10,
       first_payment_day_of_month = $11 where id = $1 and deleted_at is null`,
    [schedule.id, ...planValues(input)],
  );
  const updated = { ...schedule, ...input };
  for (const subscription of await liveSubscriptions(schedule.id)) {
    // A declined charge that waits for its next try keeps waiting.
    const waits = subscription.retries > 0 && subscription.done < updated.paymentsCount;
    if (!waits) await setNext(subscription, nextDue(updated, subscription), now);
  }
}

/** Deletes a schedule; refuses `scheduleInUse` while a subscription lives on it. */
export async function deleteSchedule(scheduleId: string, now: Date): Promise<void> {
  const rows = await query(
    'schedule-delete',
    `update schedules set deleted_at = $2::timestamptz where id = $1 and deleted_at is null
        and not exists (select 1 from subscriptions where schedule_id = $1 and stopped_at is null)
     returning id`,
    [scheduleId, now],
  );
  if (rows.length === 0) refuse('scheduleInUse' satisfies ErrorKey);
}

/** Pauses a schedule: nothing is charged and no subscription starts until it runs again. */
export async function pauseSchedule(scheduleId: string): Promise<void> {
  await query('schedule-pause', 'update schedules set paused = true where id = $1', [scheduleId]);
}

/** Lets a paused schedule run. What fell due during the pause is passed over, and counts as done. */
export async function runSchedule(schedule: Schedule, now: Date): Promise<void> {
  if (!schedule.paused) return;
  for (const subscription of await liveSubscriptions(schedule.id)) {
    let { done } = subscription;
    while (done < schedule.paymentsCount && isPast(schedule, subscription, done, now)) done++;
    if (done > subscription.done) await setNext(subscription, nextDue(schedule, { ...subscription, done }), now, done);
  }
  await query('schedule-run', 'update schedules set paused = false where id = $1', [schedule.id]);
}

function isPast(schedule: Schedule, subscription: Subscription, slot: number, now: Date): boolean {
  const dueAt = dueOf(schedule, subscription, slot);
  return dueAt !== null && dueAt <= now;
}

/** One chain on one schedule. */
export type Subscription = {
  id: string;
  scheduleId: string;
  chainToken: string;
  /** The payment that began it. */
  paymentId: string | null;
  amount: string | null;
  firstDate: string;
  firstDay: number;
  done: number;
  retries: number;
  createdAt: Date;
};

export const subscriptionColumns = `u.id, u.schedule_id, u.chain_token, u.payment_id, u.amount, u.first_date, u.first_day, u.done,
  u.retries, u.created_at`;

export type SubscriptionRow = {
  id: string;
  schedule_id: string;
  chain_token: string;
  payment_id: string | null;
  amount: string | null;
  first_date: string;
  first_day: number;
  done: number;
  retries: number;
  created_at: Date;
};

export function toSubscription(row: SubscriptionRow): Subscription {
  return {
    id: row.id,
    scheduleId: row.schedule_id,
    chainToken: row.chain_token,
    paymentId: row.payment_id,
    amount: row.amount,
    firstDate: row.first_date,
    firstDay: row.first_day,
    done: row.done,
    retries: row.retries,
    createdAt: row.created_at,
  };
}

/** Of all chains, or of one. */
async function liveSubscriptions(scheduleId: string, chainToken?: string | null): Promise<Subscription[]> {
  const rows = await query<SubscriptionRow>(
    'subscriptions-of',
    `select ${subscriptionColumns} from subscriptions u
      where u.schedule_id = $1 and u.stopped_at is null and ($2::text is null or u.chain_token = $2)`,
    [scheduleId, chainToken ?? null],
  );
  return rows.map(toSubscription);
}

/** When slot `slot` (0 is the first) is charged: on its day, at the hour of the first payment. Null past the last. */
export function dueOf(
  plan: SchedulePlan,
  subscription: Pick<Subscription, 'firstDate' | 'firstDay' | 'createdAt'>,
  slot: number,
): Date | null {
  const first = { date: subscription.firstDate, dayOfMonth: subscription.firstDay };
  const date = recurrenceFrom(plan, first).dateOf(slot);
  return date === null ? null : atHourOf(date, subscription.createdAt);
}

/** When the slot that is next is charged. */
export function nextDue(plan: SchedulePlan, subscription: Subscription): Date | null {
  return dueOf(plan, subscription, subscription.done);
}

function atHourOf(date: string, time: Date): Date {
  return new Date(`${date}T${time.toISOString().slice(11)}`);
}

/**
 * Sets when a subscription is charged next, with `done` slots behind it; without a date it has come to its end. Nothing
 * happens to a subscription that has moved on since it was read: whoever moved it has set its date.
 */
export async function setNext(
  subscription: Subscription,
  dueAt: Date | null,
  now: Date,
  done = subscription.done,
): Promise<void> {
  await query(
    'subscription-next',
    `update subscriptions set done = $4, retries = 0, due_at = $5::timestamptz,
            stopped_at = case when $5::timestamptz is null then $6::timestamptz end,
            stop_reason = case when $5::timestamptz is null then 'completed' end
      where id = $1 and done = $2 and retries = $3 and stopped_at is null`,
    [subscription.id, subscription.done, subscription.retries, done, dueAt, now],
  );
}

/**
 * What a paid charge of a chain that names a schedule begins, and the day that is told of it: a new subscription, counted
 * from this charge; nothing new where the chain is on that schedule already; nothing at all on a paused one.
 */
export async function subscriptionOf(
  payment: Payment,
  now: Date,
): Promise<Pick<Move, 'subscription' | 'firstRecurring'>> {
  const { scheduleId, merchantId, recurringToken } = payment;
  const schedule = scheduleId && (await findSchedule(merchantId, scheduleId));
  if (!schedule) return {};
  // The first payment of a chain has no token yet, and its chain no subscription.
  const [live] = recurringToken ? await liveSubscriptions(schedule.id, recurringToken) : [];
  if (live) return { firstRecurring: live.firstDate };
  if (schedule.paused) return {};
  const first = firstCharge(schedule, { initDate: isoDay(now), startDate: payment.scheduleStart });
  const subscription = {
    id: v5('subscription', payment.id),
    scheduleId: schedule.id,
    amount: payment.scheduleAmount,
    firstDay: first.dayOfMonth,
    dueAt: atHourOf(first.date, now),
  };
  return { subscription, firstRecurring: first.date };
}

/** DESCHEDULE: ends one subscription. False when the merchant has no such one. */
export async function deschedule(
  merchantId: string,
  recurringToken: string,
  scheduleId: string,
  now: Date,
): Promise<boolean> {
  const rows = await query(
    'subscription-stop',
    `update subscriptions u set stopped_at = $4::timestamptz, due_at = null, stop_reason = 'descheduled'
       from recurring_chains r where r.token = u.chain_token and r.merchant_id = $1 and u.chain_token = $2
        and u.schedule_id = $3 and u.stopped_at is null returning u.id`,
    [merchantId, recurringToken, scheduleId, now],
  );
  return rows.length > 0;
}
