/** Schedules, which define dates, and the subscriptions of their payers, which have amount and card. */
import { v5 } from 'uuid';
import { isoDay } from '../core/dates.ts';
import { type ErrorKey, throwApiError } from '../core/errors.ts';
import { isUuid, newId } from '../core/ids.ts';
import type { Payment } from '../core/payment.ts';
import { firstCharge, type SchedulePlan } from '../core/recurrence.ts';
import { clockOffsetMilliseconds } from '../db/clock.ts';
import { type EntityRow, entity, membersOf, type Query, rowSet, statement, transaction } from '../db/index.ts';
import type { Subscription as Row } from '../prisma/client.ts';
import { atHourOf, plannedAt, replan, type SlotState, skipPausedSlots } from './slots.ts';

/** A schedule as the merchant created it. */
export type Schedule = SchedulePlan & { id: string; name: string; paused: boolean };

const planTypes = `name text, intervalLength int, intervalUnit "IntervalUnit", dayOfMonth int, paymentsCount int,
  delayedFirstPayment "DelayedFirstPayment", firstPaymentIntervalLength int, firstPaymentIntervalUnit "IntervalUnit",
  firstPaymentDayOfWeek int, firstPaymentDayOfMonth int` as const;
const planMembers = membersOf(planTypes);
const plans = rowSet('plans', `id uuid, merchantId uuid, at timestamptz, ${planTypes}`);

/** The columns of a plan by their names; {@link toSchedule} reads them. */
export const planColumns = [...planMembers.map(([, column]) => column), 'paused'].join(', ');

export const scheduleColumns = `id, ${planColumns}`;

export type ScheduleRow = { id: string; paused: boolean } & { [column: string]: unknown };

const scheduleById = statement<{ id: string; merchantId: string }, ScheduleRow>(
  'schedule-find',
  `select ${scheduleColumns} from schedules where id = :id and merchant_id = :merchantId and deleted_at is null`,
);

/** A merchant's schedule; null for deleted ones and those of other merchants. */
export async function findSchedule(merchantId: string, scheduleId: string): Promise<Schedule | null> {
  if (!isUuid(scheduleId)) return null;
  const [row] = await scheduleById({ id: scheduleId, merchantId });
  return row ? toSchedule(row) : null;
}

export function toSchedule(row: ScheduleRow): Schedule {
  const plan = Object.fromEntries(planMembers.map(([member, column]) => [member, row[column]]));
  return { ...(plan as ScheduleInput), id: row.id, paused: row.paused };
}

/** Whether the merchant has this schedule. */
export async function hasSchedule(merchantId: string, scheduleId: string): Promise<boolean> {
  return (await findSchedule(merchantId, scheduleId)) !== null;
}

export type ScheduleInput = SchedulePlan & { name: string };

const encodePlan = (plan: ScheduleInput, more: { id: string; merchantId?: string; at?: Date }) => {
  const absent = Object.fromEntries(planMembers.map(([member]) => [member, null]));
  const row = { ...absent, ...plan, delayedFirstPayment: plan.delayedFirstPayment ?? 'none', ...more };
  return { plans: plans.encode([row as Parameters<typeof plans.encode>[0][number]]) };
};

const insertSchedule = statement<{ plans: string }, ScheduleRow>(
  'schedule-create',
  `insert into schedules (id, merchant_id, created_at, ${planMembers.map(([, column]) => column).join(', ')})
   select id, merchant_id, at, ${planMembers.map(([, column]) => column).join(', ')} from ${plans.from}
   on conflict (id) do nothing returning ${scheduleColumns}`,
);

/** Creates a schedule, under the merchant's own id if one is set. Null if that id is taken. */
export async function createSchedule(
  merchantId: string,
  input: ScheduleInput & { id?: string },
  now: Date,
): Promise<Schedule | null> {
  const [row] = await insertSchedule(encodePlan(input, { id: input.id ?? newId(), merchantId, at: now }));
  return row ? toSchedule(row) : null;
}

const lockSchedule = statement<{ id: string }, ScheduleRow>(
  'schedule-hold',
  `select ${scheduleColumns} from schedules where id = :id and deleted_at is null for update`,
);

const updatePlan = statement<{ plans: string }>(
  'schedule-update',
  `update schedules set ${planMembers.map(([, column]) => `${column} = plans.${column}`).join(', ')}
     from ${plans.from} where schedules.id = plans.id`,
);

/**
 * Replaces a schedule's plan by the result of `change`. Active subscriptions use the new plan at once: nothing is
 * charged for the past, and slots that the change skips do not count as done (slots.ts). One transaction, so that no
 * subscription remains on the old plan. `change` receives the plan under the row's lock: of two concurrent updates the
 * second sees the result of the first. Errors of `change` are rethrown without a change. Throws `scheduleNotFound` if
 * the schedule was deleted.
 */
export async function updateSchedule(id: string, change: (schedule: Schedule) => ScheduleInput): Promise<void> {
  await transaction(async (run) => {
    const [row] = await lockSchedule({ id }, run);
    if (!row) return throwApiError('scheduleNotFound' satisfies ErrorKey);
    const schedule = toSchedule(row);
    const input = change(schedule);
    const updated = { ...schedule, ...input };
    await updatePlan(encodePlan(input, { id }), run);
    await moveAll(run, id, (dueSubscription) => positionAfterPlanChange(schedule, updated, dueSubscription));
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

const setDeleted = statement<{ id: string; now: Date }, { id: string }>(
  'schedule-delete',
  `update schedules set deleted_at = :now::timestamptz where id = :id and deleted_at is null
      and not exists (select 1 from subscriptions where schedule_id = :id and stopped_at is null)
   returning id`,
);

/** Deletes a schedule; throws `scheduleInUse` while it has an active subscription. */
export async function deleteSchedule(scheduleId: string, now: Date): Promise<void> {
  const rows = await setDeleted({ id: scheduleId, now });
  if (rows.length === 0) throwApiError('scheduleInUse' satisfies ErrorKey);
}

const setPaused = statement<{ id: string }>('schedule-pause', 'update schedules set paused = true where id = :id');

/** Pauses a schedule: nothing is charged and no subscription starts until it is resumed. */
export async function pauseSchedule(scheduleId: string): Promise<void> {
  await setPaused({ id: scheduleId });
}

const setRunning = statement<{ id: string }, ScheduleRow>(
  'schedule-resume',
  `update schedules set paused = false where id = :id and paused returning ${scheduleColumns}`,
);

/** Resumes a paused schedule. Slots that were due during the pause are skipped and count as done. */
export async function resumeSchedule({ id }: Pick<Schedule, 'id'>): Promise<void> {
  await transaction(async (run) => {
    const [row] = await setRunning({ id }, run);
    if (!row) return;
    const schedule = toSchedule(row);
    await moveAll(run, id, ({ subscription, dueAt, at }) => {
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
export type Subscription = SlotState &
  Pick<Row, 'id' | 'scheduleId' | 'chainToken' | 'paymentId' | 'amount' | 'retries' | 'placed' | 'brakeReason'>;

const subscriptions = entity<Subscription>()(
  'u',
  `id, scheduleId, chainToken, paymentId, amount, firstDate, firstDay, done, retries, createdAt, shift, placed,
  begunSlot, begunFor, begunAt, catchUpAt, brakeReason`,
);

/** A subscription's columns; expects the subscription under the alias `u`. */
export const subscriptionColumns = subscriptions.columns;

export type SubscriptionRow = EntityRow<Subscription, 'u'>;

/** A subscription from a row of {@link subscriptionColumns}. */
export const toSubscription = subscriptions.read;

/** An active subscription with its due time, and the database's time. */
export type DueSubscription = { subscription: Subscription; dueAt: Date; at: Date };

/** The position of a subscription: `done` slots are done; without a date it has ended. */
export type SlotPosition = { done: number; shift: number; dueAt: Date | null };

/** The database's time in SQL; the parameter `offsetMs` is {@link clockOffsetMilliseconds}. */
export const databaseTime = `(now() + :offsetMs::float8 * interval '1 millisecond')`;

const lockSubscriptions = statement<
  { scheduleId: string; offsetMs: number },
  SubscriptionRow & { dueAt: Date; at: Date }
>(
  'subscriptions-lock',
  `select ${subscriptionColumns}, u.due_at as "dueAt", ${databaseTime} as at from subscriptions u
    where u.schedule_id = :scheduleId and u.stopped_at is null order by u.id for update`,
);

const moves = rowSet('moves', 'id uuid, done int, shift int, dueAt timestamptz');

const moveSubscriptions = statement<{ moves: string; offsetMs: number }>(
  'subscriptions-move',
  `update subscriptions u set placed = u.placed + 1, done = moves.done, shift = moves.shift, due_at = moves.due_at,
          retries = case when moves.done = u.done then u.retries else 0 end, catch_up_at = null,
          stopped_at = case when moves.due_at is null then ${databaseTime} end,
          stop_reason = case when moves.due_at is null then 'completed' end
     from ${moves.from}
    where u.id = moves.id`,
);

/** Repositions every active subscription of a schedule in one statement; the rows are locked while they are read. */
async function moveAll(
  run: Query,
  scheduleId: string,
  next: (dueSubscription: DueSubscription) => SlotPosition | null,
): Promise<void> {
  const offsetMs = clockOffsetMilliseconds();
  const rows = await lockSubscriptions({ scheduleId, offsetMs }, run);
  const placed = rows.flatMap((row) => {
    const subscription = toSubscription(row);
    const place = next({ subscription, dueAt: row.dueAt, at: row.at });
    return place ? [{ id: subscription.id, ...place }] : [];
  });
  await moveSubscriptions({ moves: moves.encode(placed), offsetMs }, run);
}

const activeOf = statement<{ scheduleId: string; chainToken: string }, SubscriptionRow>(
  'subscriptions-of',
  `select ${subscriptionColumns} from subscriptions u
    where u.schedule_id = :scheduleId and u.stopped_at is null and u.chain_token = :chainToken`,
);

/** The additions of an initial payment with a schedule to its transition; empty without a schedule. */
export type NewSubscription = {
  /** `YYYY-MM-DD`, reported with the payment: the first charge of the chain's subscription. */
  firstRecurring?: string;
  /** Puts the payment's chain on a schedule. */
  subscription?: { id: string; scheduleId: string; amount: string | null; firstDay: number; dueAt: Date };
};

/** The subscription that a paid charge starts; none on a paused schedule or one that the chain is on already. */
export async function planSubscription(payment: Payment, now: Date): Promise<NewSubscription> {
  const { scheduleId, merchantId, recurringToken } = payment;
  const schedule = scheduleId && (await findSchedule(merchantId, scheduleId));
  if (!schedule) return {};
  // The initial payment of a chain has no token yet, and its chain no subscription.
  const [live] = recurringToken ? await activeOf({ scheduleId: schedule.id, chainToken: recurringToken }) : [];
  if (live) return { firstRecurring: toSubscription(live).firstDate };
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

type StopParams = { merchantId: string; recurringToken: string; scheduleId: string; now: Date };
const stop = statement<StopParams, { id: string }>(
  'subscription-stop',
  `update subscriptions u set stopped_at = :now::timestamptz, due_at = null, stop_reason = 'descheduled'
     from recurring_chains r where r.token = u.chain_token and r.merchant_id = :merchantId
      and u.chain_token = :recurringToken and u.schedule_id = :scheduleId and u.stopped_at is null returning u.id`,
);

/** DESCHEDULE: ends one subscription. False if the merchant has no such subscription. */
export async function deschedule(
  merchantId: string,
  recurringToken: string,
  scheduleId: string,
  now: Date,
): Promise<boolean> {
  return (await stop({ merchantId, recurringToken, scheduleId, now })).length > 0;
}
