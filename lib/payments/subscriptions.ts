/**
 * The charges of schedules. A subscription is a due row: claimed by pushing its due time forward, charged under an id
 * that stands for its slot, and then moved on. However often and by however many processes a slot is taken up, it is
 * charged once.
 */
import { createHash } from 'node:crypto';
import { v5 } from 'uuid';
import { Refusal } from '../core/errors';
import { formatAmount, parseAmount } from '../core/money';
import { query } from '../db';
import { log } from '../log';
import { chainOf, payRecurring } from './direct';
import { callerOf } from './merchants';
import { isOpen, type Payment, type Transaction } from './payment';
import {
  findSchedule,
  nextDue,
  type Schedule,
  type Subscription,
  type SubscriptionRow,
  subscriptionColumns,
  toSubscription,
} from './schedules';

/** Charges of one process at a time. */
const batch = 20;

/** Charges every subscription that is due; one slot each. Returns how many there were. */
export async function chargeDue(now: Date): Promise<number> {
  const rows = await query<SubscriptionRow>(
    'subscriptions-due',
    `update subscriptions u set due_at = $1::timestamptz + interval '90 seconds'
      where u.id in (select d.id from subscriptions d join schedules s on s.id = d.schedule_id
                      where d.due_at <= $1::timestamptz and d.stopped_at is null and not s.paused
                      order by d.due_at limit ${batch} for update of d skip locked)
     returning ${subscriptionColumns}`,
    [now],
  );
  await Promise.all(
    rows.map((row) =>
      charge(toSubscription(row), now).catch((err) =>
        log.error({ err, subscription: row.id }, 'a scheduled charge could not be made'),
      ),
    ),
  );
  return rows.length;
}

async function charge(subscription: Subscription, now: Date): Promise<void> {
  const chain = await chainOf(subscription.chainToken);
  const schedule = chain && (await findSchedule(chain.first.merchantId, subscription.scheduleId));
  if (!chain || !schedule) return stop(subscription, 'chain or schedule is gone', now);
  if (subscription.done >= schedule.paymentsCount) return stop(subscription, 'completed', now);
  const slot = `${subscription.done + 1}${subscription.retries > 0 ? `-${subscription.retries + 1}` : ''}`;
  const { first } = chain;
  const caller = await callerOf(first);
  const orderAmount = subscription.amount ?? first.orderAmount;
  const parsed = parseAmount(orderAmount, first.currency);
  const amountMinor = parsed.ok ? parsed.minor : first.amountMinor;
  const id = v5(`slot-${slot}`, subscription.id);
  try {
    const { payment, transaction } = await payRecurring(
      caller,
      chain,
      {
        id,
        orderNumber: `${first.orderNumber}/${slot}`.slice(-255),
        orderAmount: formatAmount(amountMinor, first.currency),
        currency: first.currency,
        amountMinor,
        description: first.description,
        customData: first.customData,
        requestDigest: createHash('sha256').update(id).digest(),
        notificationUrl: null,
        authorizeOnly: false,
        scheduleId: subscription.scheduleId,
      },
      now,
    );
    await moveOn(subscription, schedule, { payment, transaction }, caller.mapping, now);
  } catch (err) {
    if (!(err instanceof Refusal)) throw err;
    await stop(subscription, `refused: ${err.message}`, now);
  }
}

type Both = { payment: Payment; transaction: Transaction };
type Plan = { scheduleRetries: number; scheduleRetryHours: number };

/** To the next slot, to another try of this one, or to the end. An open outcome is looked at again. */
async function moveOn(subscription: Subscription, schedule: Schedule, both: Both, plan: Plan, now: Date) {
  const { transaction } = both;
  if (isOpen(transaction)) return;
  if (transaction.status === 'success') return advanceSlot(subscription, schedule, now);
  if (transaction.declineSoft === false) return stop(subscription, transaction.declineReason ?? 'declined', now);
  if (subscription.retries >= plan.scheduleRetries) return advanceSlot(subscription, schedule, now);
  const dueAt = new Date(now.getTime() + plan.scheduleRetryHours * 3_600_000);
  await query(
    'subscription-retry',
    `update subscriptions set retries = retries + 1, due_at = $3::timestamptz
      where id = $1 and done = $2 and retries = $4 and stopped_at is null`,
    [subscription.id, subscription.done, dueAt, subscription.retries],
  );
}

async function advanceSlot(subscription: Subscription, schedule: Schedule, now: Date): Promise<void> {
  const done = subscription.done + 1;
  const dueAt = nextDue(schedule, { ...subscription, done });
  await query(
    'subscription-advance',
    `update subscriptions set done = $3, retries = 0, due_at = $4::timestamptz,
            stopped_at = case when $4::timestamptz is null then $5::timestamptz end,
            stop_reason = case when $4::timestamptz is null then 'completed' end
      where id = $1 and done = $2 and stopped_at is null`,
    [subscription.id, subscription.done, done, dueAt, now],
  );
}

async function stop(subscription: Subscription, reason: string, now: Date): Promise<void> {
  await query(
    'subscription-end',
    `update subscriptions set stopped_at = $2::timestamptz, due_at = null, stop_reason = $3
      where id = $1 and stopped_at is null`,
    [subscription.id, now, reason],
  );
  log.info({ subscription: subscription.id, reason }, 'a subscription has ended');
}
