/**
 * The charges of schedules. A subscription is a due row: claimed by pushing its due time forward, charged under an id
 * that stands for its slot, and then moved on. However often and by however many processes a slot is taken up, it is
 * charged once.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isoDay } from '../core/dates';
import { Refusal } from '../core/errors';
import type { MissedSlots } from '../core/mapping-options';
import { formatAmount, parseAmount } from '../core/money';
import { query } from '../db';
import { log } from '../log';
import { type Chain, chainOf, payRecurring } from './direct';
import { findBoth, findPayment, lastAttempt } from './find';
import { callerOf } from './merchants';
import { isOpen, type Payment, type Transaction } from './payment';
import { type Subscription, type SubscriptionRow, subscriptionColumns, toSubscription } from './schedules';
import {
  advanceSlot,
  beginSlot,
  endSubscription,
  type HeldSlot,
  leewayMilliseconds,
  place,
  readSlot,
  readTries,
  retryLater,
  tryId,
  tryName,
} from './slot-moves';
import { type Decision, decide, plannedAt } from './slots';

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

/** Where the database's clock is this far behind the process's, the process is the one that is wrong. */
const aheadMilliseconds = 30_000;
const pauseMilliseconds = 5_000;

async function charge(claimed: Subscription, now: Date): Promise<void> {
  const held = await readSlot(claimed.id);
  if (held?.subscription.done !== claimed.done || held.subscription.retries !== claimed.retries) return;
  const { subscription, schedule } = held;
  if (schedule.paused) return;
  const chain = held.deleted ? null : await chainOf(subscription.chainToken);
  if (!chain) return endSubscription(subscription, 'chain or schedule is gone');
  const caller = await callerOf(chain.first);
  const tries = await readTries(subscription);
  if (tries.state === 'open') return;
  if (tries.state === 'paid') return advanceSlot(subscription);
  if (tries.state === 'declined') {
    const attempt = await lastAttempt(tries.paymentId);
    const both = attempt && (await findBoth(attempt.id));
    return both ? moveOn(subscription, both, caller.mapping) : undefined;
  }
  if (subscription.done >= schedule.paymentsCount) return endSubscription(subscription, 'completed');
  if (subscription.retries > caller.mapping.scheduleRetries) return advanceSlot(subscription);
  if (!(await isBegun(held, caller.mapping.missedSlots, now))) return;
  const both = await tryCharge(caller, chain, subscription, now);
  if (both) return moveOn(subscription, both, caller.mapping);
  return tryLater(subscription, caller.mapping);
}

/** Decides whether the slot that is next is charged now, and begins it; what is not to be charged yet is put off. */
async function isBegun(held: HeldSlot, option: MissedSlots, now: Date): Promise<boolean> {
  const { subscription, schedule, at } = held;
  // A slot that was begun before has been decided about.
  const planned =
    subscription.begunSlot === subscription.done ? plannedAt(schedule, subscription, subscription.done) : null;
  if (planned) return beginSlot(held, planned, { shift: subscription.shift, crowded: option === 'all' });
  const decision = decide(schedule, subscription, option, at);
  tellMissed(subscription, option, decision);
  const isAhead = decision.at.getTime() - at.getTime() > leewayMilliseconds;
  if (decision.what === 'charge' || !isAhead || !isExplained(held, decision)) {
    const begun = await beginSlot(held, decision.at, { shift: decision.shift, crowded: option === 'all' });
    // A process whose clock is ahead finds the row due again at once: it leaves the others their turn.
    if (!begun && now.getTime() - at.getTime() > aheadMilliseconds) await setTimeout(pauseMilliseconds);
    return begun;
  }
  await place(subscription, ({ subscription: { done, catchUpAt } }) => ({
    done,
    shift: decision.shift,
    dueAt: decision.at,
    catchUpAt: decision.what === 'announce' ? decision.at : catchUpAt,
  }));
  return false;
}

/** Why a slot that was due is not to be charged yet: slots were missed, or the plan has changed since it was claimed. */
function isExplained({ subscription, dueAt }: HeldSlot, { what, at, shift }: Decision): boolean {
  return (
    what === 'announce' ||
    at.getTime() === subscription.catchUpAt?.getTime() ||
    shift !== subscription.shift ||
    dueAt.getTime() === at.getTime()
  );
}

function tellMissed({ id, done, shift, catchUpAt }: Subscription, option: MissedSlots, decision: Decision): void {
  const [first] = decision.missed;
  const isTold = option === 'all' && first && catchUpAt && first <= catchUpAt;
  if (!first || isTold) return;
  const [missed, passedOver] = [decision.missed.map(isoDay), decision.shift - shift];
  log.warn(
    { subscription: id, slot: done + 1, missed, passedOver, option, next: decision.at },
    'slots of a schedule were missed',
  );
}

/** Charges the slot that is next; null when nobody could carry it, which a later try may change. */
async function tryCharge(
  caller: Awaited<ReturnType<typeof callerOf>>,
  chain: Chain,
  subscription: Subscription,
  now: Date,
): Promise<Both | null> {
  const { retries, paymentId } = subscription;
  // What the payer agreed to is the order of the payment that put the chain on this schedule.
  const begun = (paymentId !== null && (await findPayment(paymentId))) || chain.first;
  const amountMinor = chargedMinor(subscription, begun);
  const id = tryId(subscription, retries);
  const input = {
    id,
    orderAmount: formatAmount(amountMinor, begun.currency),
    currency: begun.currency,
    amountMinor,
    description: begun.description,
    customData: begun.customData,
    requestDigest: createHash('sha256').update(id).digest(),
    notificationUrl: begun.notificationUrl,
    authorizeOnly: false,
    scheduleId: subscription.scheduleId,
    subscriptionId: subscription.id,
  };
  const orderNumber = `${begun.orderNumber}/${tryName(subscription)}`.slice(-255);
  // An order of the merchant's own may have the number already.
  for (const number of [orderNumber, `${orderNumber}/${id.slice(-8)}`.slice(-255)]) {
    try {
      return await payRecurring(caller, chain, { ...input, orderNumber: number }, now);
    } catch (err) {
      if (!(err instanceof Refusal)) throw err;
      log.warn({ subscription: subscription.id, refusal: err.key }, 'a scheduled charge was refused');
      if (err.key !== 'duplicatePayment') return null;
    }
  }
  return null;
}

/** What a subscription charges each time, in minor units: its own amount, else that of the payment that began it. */
export function chargedMinor(
  { amount }: Pick<Subscription, 'amount'>,
  begun: Pick<Payment, 'orderAmount' | 'currency' | 'amountMinor'>,
): bigint {
  const parsed = parseAmount(amount ?? begun.orderAmount, begun.currency);
  return parsed.ok ? parsed.minor : begun.amountMinor;
}

type Both = { payment: Payment; transaction: Transaction };
type Plan = { scheduleRetries: number; scheduleRetryHours: number };

/** To the next slot, to another try of this one, or to the end. An outcome that is not certain is looked at again. */
async function moveOn(subscription: Subscription, { payment, transaction }: Both, plan: Plan): Promise<void> {
  if (isOpen(transaction) || payment.inFlightId !== null) return;
  if (transaction.status === 'success') return advanceSlot(subscription);
  if (transaction.declineSoft === false) return endSubscription(subscription, transaction.declineReason ?? 'declined');
  return tryLater(subscription, plan);
}

/** Another try of the slot after the mapping's hours, or the next slot where it has had its tries. */
function tryLater(subscription: Subscription, plan: Plan): Promise<void> {
  if (subscription.retries >= plan.scheduleRetries) return advanceSlot(subscription);
  return retryLater(subscription, plan.scheduleRetryHours);
}
