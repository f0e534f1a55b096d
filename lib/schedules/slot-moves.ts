/**
 * Moves subscriptions from slot to slot. Each move is one statement, guarded by the slot, the retry and the position on
 * which it was decided, and none happens while an attempt of the slot has an uncertain outcome.
 */
import { v5 } from 'uuid';
import { query } from '../db';
import { clockOffsetMilliseconds } from '../db/clock';
import { log, metrics } from '../telemetry';
import {
  type DueSubscription,
  databaseTime,
  planColumns,
  type Schedule,
  type ScheduleRow,
  type Subscription,
  type SubscriptionRow,
  subscriptionColumns,
  toSchedule,
  toSubscription,
} from './schedules';
import { type ChargeSpacing, chargeSpacing, plannedAt, replan } from './slots';

/** An active subscription with its schedule; times are the database's. */
export type SubscriptionSlot = DueSubscription & { schedule: Schedule; deleted: boolean };

/** The current state of a subscription; null once it has stopped. */
export async function readSlot(id: string): Promise<SubscriptionSlot | null> {
  type Row = SubscriptionRow & Omit<ScheduleRow, 'id'> & { due_at: Date; at: Date; deleted: boolean };
  const [row] = await query<Row>(
    'subscription-read',
    `select ${subscriptionColumns}, u.due_at, s.deleted_at is not null as deleted, ${databaseTime(2)} as at, ${planColumns}
       from subscriptions u join schedules s on s.id = u.schedule_id where u.id = $1 and u.stopped_at is null`,
    [id, clockOffsetMilliseconds()],
  );
  if (!row) return null;
  const { due_at: dueAt, at, deleted } = row;
  return {
    subscription: toSubscription(row),
    schedule: toSchedule({ ...row, id: row.schedule_id }),
    dueAt,
    at,
    deleted,
  };
}

const attemptSuffix = (done: number, retry: number) => `${done + 1}${retry > 0 ? `-${retry + 1}` : ''}`;

/** The suffix of an attempt's order number: `3`, and `3-2` for the second attempt of the third slot. */
export const attemptName = ({ done, retries }: Subscription): string => attemptSuffix(done, retries);

/** The payment id of an attempt of the next slot; the same in every process. */
export function slotPaymentId({ id, done }: Subscription, retry: number): string {
  return v5(`slot-${attemptSuffix(done, retry)}`, id);
}

const slotPaymentIds = (subscription: Subscription) =>
  Array.from({ length: subscription.retries + 1 }, (_, retry) => slotPaymentId(subscription, retry));

const inFlightSql = (n: number) =>
  `exists (select 1 from payments p where p.id = any($${n}::uuid[]) and p.in_flight_id is not null)`;
const inFlightOrPaidSql = (n: number) =>
  `exists (select 1 from payments p where p.id = any($${n}::uuid[])
     and (p.in_flight_id is not null or (p.state <> 'declined' and p.attempts > 0)))`;

/**
 * The state of the next slot's attempts: `open` while an outcome is uncertain; `declined` refers to the last attempt.
 */
export type SlotAttempts = { state: 'none' | 'open' | 'paid' } | { state: 'declined'; paymentId: string };

/** Reads the attempts of the next slot. A merchant may have retried a declined one (RETRY) successfully. */
export async function readSlotAttempts(subscription: Subscription): Promise<SlotAttempts> {
  type Row = { id: string; open: boolean; paid: boolean };
  const rows = await query<Row>(
    'subscription-attempts',
    `select id, in_flight_id is not null as open, state <> 'declined' as paid from payments
      where id = any($1::uuid[]) and (attempts > 0 or in_flight_id is not null)`,
    [slotPaymentIds(subscription)],
  );
  if (rows.some(({ open }) => open)) return { state: 'open' };
  if (rows.some(({ paid }) => paid)) return { state: 'paid' };
  const last = rows.find(({ id }) => id === slotPaymentId(subscription, subscription.retries));
  return last ? { state: 'declined', paymentId: last.id } : { state: 'none' };
}

type SlotMove = { done: number; shift: number; dueAt: Date | null; catchUpAt?: Date | null };

/**
 * Moves a subscription to the result of `next`, if it is still at the slot and retry of `from`; repeats if an update of
 * the plan came in between. Has no effect while an attempt of the slot is open: the row remains due.
 */
export async function moveToSlot(from: Subscription, next: (current: SubscriptionSlot) => SlotMove): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const current = await readSlot(from.id);
    if (current?.subscription.done !== from.done || current.subscription.retries !== from.retries) return;
    const to = next(current);
    const rows = await query(
      'subscription-move',
      `update subscriptions u set done = $5, shift = $6, due_at = $7::timestamptz, catch_up_at = $8::timestamptz,
              retries = case when u.done = $5 then u.retries else 0 end,
              stopped_at = case when $7::timestamptz is null then $9::timestamptz end,
              stop_reason = case when $7::timestamptz is null then 'completed' end
        where u.id = $1 and u.done = $2 and u.retries = $3 and u.placed = $4 and u.stopped_at is null and not ${inFlightSql(10)}
       returning u.id`,
      [
        from.id,
        from.done,
        from.retries,
        current.subscription.placed,
        to.done,
        to.shift,
        to.dueAt,
        to.catchUpAt === undefined ? current.subscription.catchUpAt : to.catchUpAt,
        current.at,
        slotPaymentIds(from),
      ],
    );
    if (rows.length > 0) return;
  }
}

/** Moves to the next slot, or to the end. */
export function moveToNextSlot(subscription: Subscription): Promise<void> {
  return moveToSlot(subscription, ({ schedule, subscription: { shift, ...slots } }) => {
    const done = slots.done + 1;
    return { done, shift, dueAt: plannedAt(schedule, { ...slots, shift }, done) };
  });
}

/** Schedules a retry of this slot, `hours` from now; not while one of its attempts is open or paid. */
export async function scheduleRetry(subscription: Subscription, hours: number): Promise<void> {
  await query(
    'subscription-retry',
    `update subscriptions set retries = retries + 1,
            due_at = ${databaseTime(5)} + $4::float8 * interval '1 hour'
      where id = $1 and done = $2 and retries = $3 and stopped_at is null and not ${inFlightOrPaidSql(6)}`,
    [
      subscription.id,
      subscription.done,
      subscription.retries,
      hours,
      clockOffsetMilliseconds(),
      slotPaymentIds(subscription),
    ],
  );
}

/** Ends a subscription for a reason; not while an attempt of its slot is open. */
export async function endSubscription(subscription: Subscription, reason: string): Promise<void> {
  const rows = await query(
    'subscription-end',
    `update subscriptions set stopped_at = ${databaseTime(3)}, due_at = null, stop_reason = $2
      where id = $1 and done = $4 and retries = $5 and stopped_at is null and not ${inFlightSql(6)} returning id`,
    [
      subscription.id,
      reason,
      clockOffsetMilliseconds(),
      subscription.done,
      subscription.retries,
      slotPaymentIds(subscription),
    ],
  );
  if (rows.length > 0) log.info({ subscription: subscription.id, reason }, 'a subscription has ended');
}

/**
 * The tolerance by which a slot may be ahead of the database's clock when its charge begins: clocks differ by seconds.
 */
export const leewayMilliseconds = 60_000;

// Checked under the row's lock by the database's clock. A retry of a begun slot must respect the same time; only a new
// slot must keep its distance from the previous one.
const beginSql = `
with held as (
  select u.id, u.begun_slot is distinct from u.done as fresh, u.brake_reason as was, u.begun_for, u.begun_at, c.at
    from subscriptions u join schedules s on s.id = u.schedule_id, (select ${databaseTime(2)} as at) c
   where u.id = $1 and u.done = $3 and u.retries = $4 and u.placed = $5 and u.stopped_at is null
     and s.deleted_at is null and not s.paused
     for update of u
), judged as (
  select h.*, case
    when $6::timestamptz > h.at + interval '${leewayMilliseconds} milliseconds' then 'early'
    when h.fresh and h.begun_for + $7::float8 * interval '1 millisecond' > $6::timestamptz then 'interval'
    when h.fresh and $8::float8 is not null and (
      h.begun_at + $8::float8 * interval '1 millisecond' > h.at
      or exists (select 1 from payments p
                  where p.recurring_token = $9 and p.subscription_id = h.id and p.id <> $10::uuid
                    and p.created_at > h.at - $8::float8 * interval '1 millisecond'
                    and p.attempts > 0 and (p.in_flight_id is not null or p.state <> 'declined'))
    ) then 'spacing' end as reason
    from held h
)
update subscriptions u set
  begun_slot = case when j.reason is null then u.done else u.begun_slot end,
  begun_for = case when j.reason is null and j.fresh then $6::timestamptz else u.begun_for end,
  begun_at = case when j.reason is null then j.at else u.begun_at end,
  shift = case when j.reason is null then $11::int else u.shift end,
  due_at = case j.reason when 'early' then $6::timestamptz
                         when 'interval' then j.at + interval '1 hour'
                         when 'spacing' then j.at + interval '1 hour' else u.due_at end,
  brake_reason = j.reason,
  braked_at = case when j.reason is null then null when j.reason = j.was then u.braked_at else j.at end
  from judged j where u.id = j.id
returning j.reason, j.was, j.at`;

export type BrakeReason = 'early' | 'interval' | 'spacing';

/**
 * The brake: begins a charge of the next slot, planned for `planned`, or stops it, by the database's clock alone. A
 * slot is never charged before its time, nor less than an interval (minus a tolerance) after the previous begun slot;
 * and, unless `crowded` (all missed slots are charged), less than half an interval after the last attempt or an open or
 * successful payment of the subscription. A stopped charge is postponed, logged, counted and shown in the dashboard.
 * Returns true if the charge may be made; false also if the subscription has moved on or its schedule is paused.
 */
export async function beginSlot(
  { subscription, schedule }: SubscriptionSlot,
  planned: Date,
  { shift, crowded }: { shift: number; crowded: boolean },
): Promise<boolean> {
  const { interval, tolerance }: ChargeSpacing = chargeSpacing(schedule, { ...subscription, shift });
  const half = Math.max(0, interval / 2 - tolerance);
  const [row] = await query<{ reason: BrakeReason | null; was: string | null; at: Date }>(
    'subscription-begin',
    beginSql,
    [
      subscription.id,
      clockOffsetMilliseconds(),
      subscription.done,
      subscription.retries,
      subscription.placed,
      planned,
      interval - tolerance,
      crowded ? null : half,
      subscription.chainToken,
      slotPaymentId(subscription, subscription.retries),
      shift,
    ],
  );
  if (!row) return false;
  const { reason, was, at } = row;
  if (reason === null) return true;
  metrics.scheduleBrakes.inc({ reason });
  const details = { subscription: subscription.id, slot: subscription.done + 1, reason, planned, databaseTime: at };
  if (reason !== was) log.error(details, 'ALERT: the brake stopped a scheduled charge');
  // The dates of the row are invalid: continue with the next date that is an interval after the last charge.
  if (reason === 'interval') {
    await moveToSlot(subscription, (now) => ({
      done: now.subscription.done,
      ...replan(now.schedule, now.subscription, now.at),
    }));
  }
  return false;
}
