/** Lists subscriptions, for the preview of a plan's change and for pages. */
import { isUuid } from '../core/ids.ts';
import { formatAmount } from '../core/money.ts';
import type { Payment } from '../core/payment.ts';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, statement } from '../db/index.ts';
import { type PaymentRow, paymentColumns, toPayment } from '../payments/index.ts';
import {
  positionAfterPlanChange,
  type Schedule,
  type ScheduleInput,
  type Subscription,
  type SubscriptionRow,
  subscriptionColumns,
  toSubscription,
} from '../schedules/index.ts';
import { chargeAmountMinor } from './charge.ts';

export type ListedSubscription = {
  subscription: Subscription;
  schedule: Pick<Schedule, 'id' | 'name' | 'paymentsCount'>;
  /** The payment that began it, with the card that is charged. */
  begun: Payment;
  /** The initial payment of its chain, which identifies the chain. */
  chainPaymentId: string;
  /** When it is charged or retried next; null once it has stopped. */
  dueAt: Date | null;
  stoppedAt: Date | null;
  stopReason: string | null;
};

type Row = PaymentRow &
  SubscriptionRow & {
    scheduleName: string;
    paymentsCount: number;
    chainPaymentId: string;
    dueAt: Date | null;
    stoppedAt: Date | null;
    stopReason: string | null;
  };

const subscriptionList = {
  columns: `${paymentColumns}, ${subscriptionColumns}, r.payment_id as "chainPaymentId", u.due_at as "dueAt",
    u.stopped_at as "stoppedAt", u.stop_reason as "stopReason", s.name as "scheduleName",
    s.payments_count as "paymentsCount"`,
  from: `subscriptions u join recurring_chains r on r.token = u.chain_token join schedules s on s.id = u.schedule_id
    join payments p on p.id = coalesce(u.payment_id, r.payment_id) left join cards k on k.id = p.card_id`,
  at: 'u.created_at',
  id: 'u.id',
};

/** A page of the subscriptions on a schedule or of a chain, newest first: all, or only the active ones. */
export async function listSubscriptions(
  of: { scheduleId: string; live?: boolean } | { chainToken: string },
  page: PageRequest,
): Promise<Paged<ListedSubscription>> {
  const builder = newSqlBuilder();
  if ('chainToken' in of) builder.where(`u.chain_token = ${builder.add(of.chainToken)}::text`);
  else builder.where(`u.schedule_id = ${builder.add(of.scheduleId)}::uuid`);
  if ('live' in of && of.live) builder.where('u.stopped_at is null');
  const { rows, more } = await fetchPage<Row>(subscriptionList, builder, page);
  return { rows: rows.map(toListedSubscription), more };
}

type ActiveSubscription = ListedSubscription & { dueAt: Date };

const nextBySchedule = statement<{ scheduleId: string; most: number; missedAt: Date | null }, Row & { dueAt: Date }>(
  'subscriptions-next',
  `select ${subscriptionList.columns} from ${subscriptionList.from}
    where u.schedule_id = :scheduleId and u.stopped_at is null
      and (:missedAt::timestamptz is null or u.due_at <= :missedAt::timestamptz or u.catch_up_at >= :missedAt::timestamptz)
    order by u.due_at, u.id limit :most::int`,
);

/** The active subscriptions of a schedule that are due first; `missedAt`: only those due or announced as missed. */
export async function nextSubscriptions(
  scheduleId: string,
  most: number,
  missedAt?: Date,
): Promise<ActiveSubscription[]> {
  const rows = await nextBySchedule({ scheduleId, most, missedAt: missedAt ?? null });
  return rows.map((row) => ({ ...toListedSubscription(row), dueAt: row.dueAt }));
}

const countBySchedule = statement<{ scheduleId: string; payments: number }, { live: number; ending: number }>(
  'subscriptions-active',
  `select count(*)::int as live, (count(*) filter (where done >= :payments::int))::int as ending
     from subscriptions where schedule_id = :scheduleId and stopped_at is null`,
);

/** The active subscriptions of a schedule, and those of them that have already made `payments` payments. */
async function countActive(scheduleId: string, payments: number): Promise<{ live: number; ending: number }> {
  const [row] = await countBySchedule({ scheduleId, payments });
  return row ?? { live: 0, ending: 0 };
}

const subscriptionById = statement<{ scheduleId: string; id: string }, Row>(
  'subscription-listed',
  `select ${subscriptionList.columns} from ${subscriptionList.from} where u.id = :id and u.schedule_id = :scheduleId`,
);

/** One subscription of a schedule. */
export async function findSubscription(scheduleId: string, id: string): Promise<ListedSubscription | null> {
  if (!isUuid(id)) return null;
  const [row] = await subscriptionById({ scheduleId, id });
  return row ? toListedSubscription(row) : null;
}

function toListedSubscription(row: Row): ListedSubscription {
  const subscription = toSubscription(row);
  const { scheduleName: name, paymentsCount, chainPaymentId, dueAt, stoppedAt, stopReason } = row;
  const schedule = { id: subscription.scheduleId, name, paymentsCount };
  return { subscription, schedule, begun: toPayment(row), chainPaymentId, dueAt, stoppedAt, stopReason };
}

/** The next charge of an active subscription after the change of the plan; `at` is null if the change ends it. */
type ChangedCharge = {
  begun: Payment;
  amount: string;
  currency: string;
  /** When it would be charged without the change. */
  before: Date;
  at: Date | null;
};

export type ChangePreview = {
  /** Active subscriptions, and how many of them end because they have already made all payments of the new plan. */
  live: number;
  ending: number;
  charges: ChangedCharge[];
};

/** Maximum number of listed subscriptions: those that are charged next. */
const shownMax = 10;

/** The effect of {@link updateSchedule} with the same input at `now`. */
export async function previewChange(schedule: Schedule, input: ScheduleInput, now: Date): Promise<ChangePreview> {
  const [counts, next] = await Promise.all([
    countActive(schedule.id, input.paymentsCount),
    nextSubscriptions(schedule.id, shownMax),
  ]);
  const updated = { ...schedule, ...input };
  const charges = next.map(({ subscription, begun, dueAt: before }) => {
    const position = positionAfterPlanChange(schedule, updated, { subscription, dueAt: before, at: now });
    const amount = formatAmount(chargeAmountMinor(subscription, begun), begun.currency);
    return { begun, amount, currency: begun.currency, before, at: position ? position.dueAt : before };
  });
  return { ...counts, charges };
}
