/**
 * Schedules: created, changed, paused and deleted by the merchant, with the subscriptions of their payers. A schedule
 * defines the dates; amount and card belong to the subscriptions.
 */
import { v5 } from 'uuid';
import { isoDay } from '../core/dates';
import { type ErrorKey, throwApiError } from '../core/errors';
import { isUuid, newId } from '../core/ids';
import type { Payment } from '../core/payment';
import { firstCharge, type SchedulePlan } from '../core/recurrence';
import { type Query, query, transaction } from '../db';
import { clockOffsetMilliseconds } from '../db/clock';
import { atHourOf, plannedAt, replan, type SlotState, skipPausedSlots } from './slots';

/** A schedule as the merchant created it. */
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

export const planColumns = `name, interval_length, interval_unit::text, day_of_month, payments_count,
  delayed_first_payment::text, first_payment_interval_length, first_payment_interval_unit::text,
  first_payment_day_of_week, first_payment_day_of_month, paused`;

export const scheduleColumns = `id, ${planColumns}`;

/** A merchant's schedule; null for deleted ones and those of other merchants. */
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

/** Creates a schedule, under the merchant's own id if one is set. Null if that id is taken. */
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

/**
 * Replaces a schedule's plan by the result of `change`. Active subscriptions use the new plan at once: nothing is
 * charged for the past, and slots that the change skips do not count as done (slots.ts). One transaction, so that no
 * subscription remains on the old plan. `change` receives the plan under the row's lock: of two concurrent updates the
 * second sees the result of the first. Errors of `change` are rethrown without a change. Throws `scheduleNotFound` if
 * the schedule was deleted.
 */
export async function updateSchedule(id: string, change: (schedule: Schedule) => ScheduleInput): Promise<void> {
  await transaction(async (query) => {
    const [row] = await query<ScheduleRow>(
      'schedule-hold',
      `select ${scheduleColumns} from schedules where id = $1 and deleted_at is null for update`,
      [id],
    );
    if (!row) return throwApiError('scheduleNotFound' satisfies ErrorKey);
    const schedule = toSchedule(row);
    const input = change(schedule);
    const updated = { ...schedule, ...input };
    await query(
      'schedule-update',
      `update schedules set name = $2, interval_length = $3, interval_unit = $4::"IntervalUnit", day_of_month = $5,
         payments_count = $6, delayed_first_payment = $7::"DelayedFirstPayment", first_payment_interval_length = $8,
         first_payment_interval_unit = $9::"IntervalUnit", first_payment_day_of_week = $10,
         first_payment_day_of_month = $11 where id = $1`,
      [id, ...planValues(input)],
    );
    await moveAll(query, id, (dueSubscription) => positionAfterPlanChange(schedule, updated, dueSubscription));
  });
}

/** The position of a subscription after a change of the plan; null if it does not change. */
export function positionAfterPlanChange(
  before: SchedulePlan,
  after: SchedulePlan,
  { subscription, dueAt, at }: DueSubscription,
): SlotPosition | null {
  const { done, shift } = subscription;
  if (done >= after.paymentsCount) return { done, shift, dueAt: null };
  if (hasSameDates(before, after)) return null;
  return replannedPosition(after, subscription, dueAt, at);
}

function replannedPosition(plan: SchedulePlan, subscription: Subscription, dueAt: Date, at: Date): SlotPosition {
  const placement = replan(plan, subscription, at);
  return { done: subscription.done, shift: placement.shift, dueAt: placement.dueAt ?? dueAt };
}

function hasSameDates(one: SchedulePlan, other: SchedulePlan): boolean {
  return (
    one.intervalLength === other.intervalLength &&
    one.intervalUnit === other.intervalUnit &&
    (one.dayOfMonth ?? null) === (other.dayOfMonth ?? null)
  );
}

/** Deletes a schedule; throws `scheduleInUse` while it has an active subscription. */
export async function deleteSchedule(scheduleId: string, now: Date): Promise<void> {
  const rows = await query(
    'schedule-delete',
    `update schedules set deleted_at = $2::timestamptz where id = $1 and deleted_at is null
        and not exists (select 1 from subscriptions where schedule_id = $1 and stopped_at is null)
     returning id`,
    [scheduleId, now],
  );
  if (rows.length === 0) throwApiError('scheduleInUse' satisfies ErrorKey);
}

/** Pauses a schedule: nothing is charged and no subscription starts until it is resumed. */
export async function pauseSchedule(scheduleId: string): Promise<void> {
  await query('schedule-pause', 'update schedules set paused = true where id = $1', [scheduleId]);
}

/** Resumes a paused schedule. Slots that were due during the pause are skipped and count as done. */
export async function resumeSchedule({ id }: Pick<Schedule, 'id'>): Promise<void> {
  await transaction(async (query) => {
    const [row] = await query<ScheduleRow>(
      'schedule-resume',
      `update schedules set paused = false where id = $1 and paused returning ${scheduleColumns}`,
      [id],
    );
    if (!row) return;
    const schedule = toSchedule(row);
    await moveAll(query, id, ({ subscription, dueAt, at }) => {
      // A retry in the future is made; the slot after it is in the future as well.
      if (subscription.retries > 0 && dueAt > at) return replannedPosition(schedule, subscription, dueAt, at);
      const done = skipPausedSlots(schedule, subscription, at);
      const { shift } = subscription;
      return done === subscription.done
        ? null
        : { done, shift, dueAt: plannedAt(schedule, { ...subscription, done }, done) };
    });
  });
}

/** One chain on one schedule. */
export type Subscription = SlotState & {
  id: string;
  scheduleId: string;
  chainToken: string;
  /** The payment that began it. */
  paymentId: string | null;
  amount: string | null;
  retries: number;
  /** Grows whenever an update or a resumption repositions the subscription. */
  placed: number;
  /** Why the brake stopped its last charge. */
  brakeReason: string | null;
};

export const subscriptionColumns = `u.id, u.schedule_id, u.chain_token, u.payment_id, u.amount, u.first_date, u.first_day, u.done,
  u.retries, u.created_at, u.shift, u.placed, u.begun_slot, u.begun_for, u.begun_at, u.catch_up_at, u.brake_reason`;

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
  shift: number;
  placed: number;
  begun_slot: number | null;
  begun_for: Date | null;
  begun_at: Date | null;
  catch_up_at: Date | null;
  brake_reason: string | null;
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
    shift: row.shift,
    placed: row.placed,
    begunSlot: row.begun_slot,
    begunFor: row.begun_for,
    begunAt: row.begun_at,
    catchUpAt: row.catch_up_at,
    brakeReason: row.brake_reason,
  };
}

/** An active subscription with its due time, and the database's time. */
export type DueSubscription = { subscription: Subscription; dueAt: Date; at: Date };

/** The position of a subscription: `done` slots are done; without a date it has ended. */
export type SlotPosition = { done: number; shift: number; dueAt: Date | null };

/** The database's time in SQL; parameter `n` is {@link clockOffsetMilliseconds}. */
export const databaseTime = (n: number): string => `(now() + $${n}::float8 * interval '1 millisecond')`;

/** Repositions every active subscription of a schedule in one statement; the rows are locked while they are read. */
async function moveAll(
  query: Query,
  scheduleId: string,
  next: (dueSubscription: DueSubscription) => SlotPosition | null,
): Promise<void> {
  const rows = await query<SubscriptionRow & { due_at: Date; at: Date }>(
    'subscriptions-lock',
    `select ${subscriptionColumns}, u.due_at, ${databaseTime(2)} as at from subscriptions u
      where u.schedule_id = $1 and u.stopped_at is null order by u.id for update`,
    [scheduleId, clockOffsetMilliseconds()],
  );
  const placed = rows.flatMap((row) => {
    const place = next({ subscription: toSubscription(row), dueAt: row.due_at, at: row.at });
    return place ? [{ id: row.id, ...place }] : [];
  });
  await query(
    'subscriptions-move',
    `update subscriptions u set placed = u.placed + 1, done = n.done, shift = n.shift, due_at = n.due_at,
            retries = case when n.done = u.done then u.retries else 0 end, catch_up_at = null,
            stopped_at = case when n.due_at is null then ${databaseTime(5)} end,
            stop_reason = case when n.due_at is null then 'completed' end
       from unnest($1::uuid[], $2::int[], $3::int[], $4::timestamptz[]) as n (id, done, shift, due_at)
      where u.id = n.id`,
    [
      placed.map(({ id }) => id),
      placed.map(({ done }) => done),
      placed.map(({ shift }) => shift),
      placed.map(({ dueAt }) => dueAt),
      clockOffsetMilliseconds(),
    ],
  );
}

/** The active subscriptions of all chains, or of one. */
async function activeSubscriptions(scheduleId: string, chainToken?: string | null): Promise<Subscription[]> {
  const rows = await query<SubscriptionRow>(
    'subscriptions-of',
    `select ${subscriptionColumns} from subscriptions u
      where u.schedule_id = $1 and u.stopped_at is null and ($2::text is null or u.chain_token = $2)`,
    [scheduleId, chainToken ?? null],
  );
  return rows.map(toSubscription);
}

/** The additions of an initial payment with a schedule to its transition; empty without a schedule. */
export type NewSubscription = {
  /** `YYYY-MM-DD`, reported with the payment: the first charge of the chain's subscription. */
  firstRecurring?: string;
  /** Puts the payment's chain on a schedule. */
  subscription?: {
    id: string;
    scheduleId: string;
    amount: string | null;
    firstDay: number;
    dueAt: Date;
  };
};

/**
 * The subscription that a paid charge with a schedule starts, and the reported day of its first charge. No new
 * subscription if the chain is already on that schedule, and none on a paused one.
 */
export async function planSubscription(payment: Payment, now: Date): Promise<NewSubscription> {
  const { scheduleId, merchantId, recurringToken } = payment;
  const schedule = scheduleId && (await findSchedule(merchantId, scheduleId));
  if (!schedule) return {};
  // The initial payment of a chain has no token yet, and its chain no subscription.
  const [live] = recurringToken ? await activeSubscriptions(schedule.id, recurringToken) : [];
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

/** DESCHEDULE: ends one subscription. False if the merchant has no such subscription. */
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
