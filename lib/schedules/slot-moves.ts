/**
 * Moves subscriptions from slot to slot. Each move is one statement, guarded by the slot, the retry and the position on
 * which it was decided, and none happens while an attempt of the slot has an uncertain outcome.
 */
import { v5 } from 'uuid';
import { clockOffsetMilliseconds } from '../db/clock.ts';
import { statement } from '../db/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import {
  type DueSubscription,
  databaseTime,
  planColumns,
  type Schedule,
  type Subscription,
  type SubscriptionRow,
  subscriptionColumns,
  toSchedule,
  toSubscription,
} from './schedules.ts';
import { type ChargeSpacing, chargeSpacing, plannedAt, replan } from './slots.ts';

/** An active subscription with its schedule; times are the database's. */
export type SubscriptionSlot = DueSubscription & { schedule: Schedule; deleted: boolean };

type SlotRow = SubscriptionRow & { paused: boolean; dueAt: Date; at: Date; deleted: boolean };
const slotById = statement<{ id: string; offsetMs: number }, SlotRow>(
  'subscription-read',
  `select ${subscriptionColumns}, u.due_at as "dueAt", s.deleted_at is not null as deleted, ${databaseTime} as at,
          ${planColumns}
     from subscriptions u join schedules s on s.id = u.schedule_id where u.id = :id and u.stopped_at is null`,
);

/** The current state of a subscription; null once it has stopped. */
export async function readSlot(id: string): Promise<SubscriptionSlot | null> {
  const [row] = await slotById({ id, offsetMs: clockOffsetMilliseconds() });
  if (!row) return null;
  const { dueAt, at, deleted } = row;
  const subscription = toSubscription(row);
  return { subscription, schedule: toSchedule({ ...row, id: subscription.scheduleId }), dueAt, at, deleted };
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

const inFlightSql = `exists (
  select 1 from payments p where p.id = any(:paymentIds::uuid[]) and p.in_flight_id is not null)`;
const inFlightOrPaidSql = `exists (
  select 1 from payments p where p.id = any(:paymentIds::uuid[])
     and (p.in_flight_id is not null or (p.state <> 'declined' and p.attempts > 0)))`;

/** The state of the next slot's attempts: `open` while an outcome is uncertain, `declined` by the last attempt. */
export type SlotAttempts = { state: 'none' | 'open' | 'paid' } | { state: 'declined'; paymentId: string };

const attemptsByIds = statement<{ paymentIds: string[] }, { id: string; open: boolean; paid: boolean }>(
  'subscription-attempts',
  `select id, in_flight_id is not null as open, state <> 'declined' as paid from payments
    where id = any(:paymentIds::uuid[]) and (attempts > 0 or in_flight_id is not null)`,
);

/** Reads the attempts of the next slot. A merchant may have retried a declined one (RETRY) successfully. */
export async function readSlotAttempts(subscription: Subscription): Promise<SlotAttempts> {
  const rows = await attemptsByIds({ paymentIds: slotPaymentIds(subscription) });
  if (rows.some(({ open }) => open)) return { state: 'open' };
  if (rows.some(({ paid }) => paid)) return { state: 'paid' };
  const last = rows.find(({ id }) => id === slotPaymentId(subscription, subscription.retries));
  return last ? { state: 'declined', paymentId: last.id } : { state: 'none' };
}

const postponeOpen = statement<SlotParams & { offsetMs: number }>(
  'subscription-postpone-open',
  `update subscriptions set due_at = greatest(due_at,
          ${databaseTime} + least((${databaseTime} - begun_at) / 50, interval '6 hours'))
    where id = :id and done = :done and retries = :retries and begun_slot = done and stopped_at is null
      and ${inFlightSql}`,
);

/** Postpones the next look at a slot whose outcome remains uncertain: by 2 % of its age, at most six hours. */
export async function postponeOpenSlot(subscription: Subscription): Promise<void> {
  await postponeOpen({ ...slotParams(subscription), offsetMs: clockOffsetMilliseconds() });
}

type SlotMove = { done: number; shift: number; dueAt: Date | null; catchUpAt?: Date | null };

/** The slot and retry on which a move was decided, and the payments of the slot's attempts. */
type SlotParams = { id: string; done: number; retries: number; paymentIds: string[] };
const slotParams = (subscription: Subscription): SlotParams => ({
  id: subscription.id,
  done: subscription.done,
  retries: subscription.retries,
  paymentIds: slotPaymentIds(subscription),
});

type MoveParams = SlotParams & {
  placed: number;
  nextDone: number;
  shift: number;
  dueAt: Date | null;
  catchUpAt: Date | null;
  at: Date;
};
const moveSubscription = statement<MoveParams, { id: string }>(
  'subscription-move',
  `update subscriptions u set done = :nextDone, shift = :shift, due_at = :dueAt::timestamptz,
          catch_up_at = :catchUpAt::timestamptz,
          retries = case when u.done = :nextDone then u.retries else 0 end,
          stopped_at = case when :dueAt::timestamptz is null then :at::timestamptz end,
          stop_reason = case when :dueAt::timestamptz is null then 'completed' end
    where u.id = :id and u.done = :done and u.retries = :retries and u.placed = :placed and u.stopped_at is null
      and not ${inFlightSql}
   returning u.id`,
);

/**
 * Moves a subscription to the result of `next`, if it is still at the slot and retry of `from`; repeats if an update of
 * the plan came in between. Has no effect while an attempt of the slot is open: the row remains due.
 */
export async function moveToSlot(from: Subscription, next: (current: SubscriptionSlot) => SlotMove): Promise<void> {
  for (let round = 0; round < 5; round += 1) {
    const current = await readSlot(from.id);
    if (current?.subscription.done !== from.done || current.subscription.retries !== from.retries) return;
    const to = next(current);
    const { catchUpAt = current.subscription.catchUpAt } = to;
    const rows = await moveSubscription({
      ...slotParams(from),
      placed: current.subscription.placed,
      nextDone: to.done,
      shift: to.shift,
      dueAt: to.dueAt,
      catchUpAt,
      at: current.at,
    });
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

const countRetry = statement<SlotParams & { hours: number; offsetMs: number }>(
  'subscription-retry',
  `update subscriptions set retries = retries + 1,
          due_at = ${databaseTime} + :hours::float8 * interval '1 hour'
    where id = :id and done = :done and retries = :retries and stopped_at is null and not ${inFlightOrPaidSql}`,
);

/** Schedules a retry of this slot, `hours` from now; not while one of its attempts is open or paid. */
export async function scheduleRetry(subscription: Subscription, hours: number): Promise<void> {
  await countRetry({ ...slotParams(subscription), hours, offsetMs: clockOffsetMilliseconds() });
}

const stop = statement<SlotParams & { reason: string; offsetMs: number }, { id: string }>(
  'subscription-end',
  `update subscriptions set stopped_at = ${databaseTime}, due_at = null, stop_reason = :reason
    where id = :id and done = :done and retries = :retries and stopped_at is null and not ${inFlightSql} returning id`,
);

/** Ends a subscription for a reason; not while an attempt of its slot is open. */
export async function endSubscription(subscription: Subscription, reason: string): Promise<void> {
  const rows = await stop({ ...slotParams(subscription), reason, offsetMs: clockOffsetMilliseconds() });
  if (rows.length > 0) log.info({ subscription: subscription.id, reason }, 'a subscription has ended');
}

/** How far a slot may be ahead of the database's clock when its charge begins: clocks differ by seconds. */
export const leewayMilliseconds = 60_000;

export type BrakeReason = 'early' | 'interval' | 'spacing';

/** `least` and `spacing`: milliseconds from the planned and the actual time of the last charge; `spacing` may be null. */
type BeginParams = {
  id: string;
  done: number;
  retries: number;
  placed: number;
  planned: Date;
  least: number;
  spacing: number | null;
  chainToken: string;
  paymentId: string;
  shift: number;
  offsetMs: number;
};

// Checked under the row's lock by the database's clock. A retry of a begun slot must respect the same time; only a new
// slot must keep its distance from the previous one.
const begin = statement<BeginParams, { reason: BrakeReason | null; was: string | null; at: Date }>(
  'subscription-begin',
  `with held as (
  select u.id, u.begun_slot is distinct from u.done as fresh, u.brake_reason as was, u.begun_for, u.begun_at, c.at
    from subscriptions u join schedules s on s.id = u.schedule_id, (select ${databaseTime} as at) c
   where u.id = :id and u.done = :done and u.retries = :retries and u.placed = :placed and u.stopped_at is null
     and s.deleted_at is null and not s.paused
     for update of u
), judged as (
  select h.*, case
    when :planned::timestamptz > h.at + interval '${leewayMilliseconds} milliseconds' then 'early'
    when h.fresh and h.begun_for + :least::float8 * interval '1 millisecond' > :planned::timestamptz then 'interval'
    when h.fresh and :spacing::float8 is not null and (
      h.begun_at + :spacing::float8 * interval '1 millisecond' > h.at
      or exists (select 1 from payments p
                  where p.recurring_token = :chainToken and p.subscription_id = h.id and p.id <> :paymentId::uuid
                    and p.created_at > h.at - :spacing::float8 * interval '1 millisecond'
                    and p.attempts > 0 and (p.in_flight_id is not null or p.state <> 'declined'))
    ) then 'spacing' end as reason
    from held h
)
update subscriptions u set
  begun_slot = case when j.reason is null then u.done else u.begun_slot end,
  begun_for = case when j.reason is null and j.fresh then :planned::timestamptz else u.begun_for end,
  begun_at = case when j.reason is null then j.at else u.begun_at end,
  shift = case when j.reason is null then :shift::int else u.shift end,
  due_at = case j.reason when 'early' then :planned::timestamptz
                         when 'interval' then j.at + interval '1 hour'
                         when 'spacing' then j.at + interval '1 hour' else u.due_at end,
  brake_reason = j.reason,
  braked_at = case when j.reason is null then null when j.reason = j.was then u.braked_at else j.at end
  from judged j where u.id = j.id
returning j.reason, j.was, j.at`,
);

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
  const { id, done, retries, placed, chainToken } = subscription;
  const [row] = await begin({
    id,
    done,
    retries,
    placed,
    planned,
    least: interval - tolerance,
    spacing: crowded ? null : half,
    chainToken,
    paymentId: slotPaymentId(subscription, retries),
    shift,
    offsetMs: clockOffsetMilliseconds(),
  });
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
