/** Lists subscriptions, for the preview of a plan's change and for pages. */
import { isUuid } from '../core/ids';
import type { Payment } from '../core/payment';
import { fetchPage, newSqlBuilder, type Paged, type PageRequest, query } from '../db';
import { type PaymentRow, paymentColumns, toPayment } from '../payments';
import { type Schedule, type Subscription, type SubscriptionRow, toSubscription } from '../schedules';

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

type Row = PaymentRow & {
  subscription: SubscriptionRow;
  subscribed_at: Date;
  begun_for: Date | null;
  begun_at: Date | null;
  catch_up_at: Date | null;
  schedule_name: string;
  payments_count: number;
  chain_payment_id: string;
  due_at: Date | null;
  stopped_at: Date | null;
  stop_reason: string | null;
};

const subscriptionList = {
  columns: `${paymentColumns}, r.payment_id as chain_payment_id, u.due_at, u.stopped_at, u.stop_reason,
    to_json(u) as subscription, u.created_at as subscribed_at, u.begun_for, u.begun_at, u.catch_up_at, s.name as schedule_name, s.payments_count`,
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

/**
 * The active subscriptions of a schedule that are due first; with `missedAt` only those due by then or announced as
 * missed.
 */
export async function nextSubscriptions(
  scheduleId: string,
  most: number,
  missedAt?: Date,
): Promise<ActiveSubscription[]> {
  const rows = await query<Row>(
    'subscriptions-next',
    `select ${subscriptionList.columns} from ${subscriptionList.from}
      where u.schedule_id = $1 and u.stopped_at is null
        and ($3::timestamptz is null or u.due_at <= $3::timestamptz or u.catch_up_at >= $3::timestamptz)
      order by u.due_at, u.id limit $2::int`,
    [scheduleId, most, missedAt ?? null],
  );
  return rows.map((row) => ({ ...toListedSubscription(row), dueAt: row.due_at as Date }));
}

/** The active subscriptions of a schedule, and those of them that have already made `payments` payments. */
export async function countActive(scheduleId: string, payments: number): Promise<{ live: number; ending: number }> {
  const [row] = await query<{ live: number; ending: number }>(
    'subscriptions-active',
    `select count(*)::int as live, (count(*) filter (where done >= $2::int))::int as ending
       from subscriptions where schedule_id = $1 and stopped_at is null`,
    [scheduleId, payments],
  );
  return row ?? { live: 0, ending: 0 };
}

/** One subscription of a schedule. */
export async function findSubscription(scheduleId: string, id: string): Promise<ListedSubscription | null> {
  if (!isUuid(id)) return null;
  const [row] = await query<Row>(
    'subscription-listed',
    `select ${subscriptionList.columns} from ${subscriptionList.from} where u.id = $1 and u.schedule_id = $2`,
    [id, scheduleId],
  );
  return row ? toListedSubscription(row) : null;
}

function toListedSubscription(row: Row): ListedSubscription {
  const subscription = toSubscription({
    ...row.subscription,
    // From separate columns: in JSON they are texts.
    created_at: row.subscribed_at,
    begun_for: row.begun_for,
    begun_at: row.begun_at,
    catch_up_at: row.catch_up_at,
  });
  return {
    subscription,
    schedule: {
      id: subscription.scheduleId,
      name: row.schedule_name,
      paymentsCount: row.payments_count,
    },
    begun: toPayment(row),
    chainPaymentId: row.chain_payment_id,
    dueAt: row.due_at,
    stoppedAt: row.stopped_at,
    stopReason: row.stop_reason,
  };
}
