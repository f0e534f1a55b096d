/**
 * The charges of schedules. A subscription is a due row: claimed by moving its due time forward, charged under an id
 * derived from its slot, and then moved on. However many processes claim a slot, it is charged once.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isoDay } from '../core/dates.ts';
import { ApiError } from '../core/errors.ts';
import type { MissedSlots } from '../core/mapping-options.ts';
import { formatAmount, parseAmount } from '../core/money.ts';
import { isNotFinal, type Payment, type PaymentWithTransaction } from '../core/payment.ts';
import { isClockWrong } from '../db/clock.ts';
import { statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { currentCallerOf, type KnownCaller } from '../merchants/index.ts';
import {
  type Chain,
  findChainByToken,
  findPayment,
  findPaymentWithTransaction,
  isRejectedByClock,
  lastAttempt,
  paySubsequent,
} from '../payments/index.ts';
import * as schedules from '../schedules/index.ts';
import { log } from '../telemetry/index.ts';

/** Rows per claim: in total, of one MID, and read in order of due time to find them. */
const claimMax = 100;
const midMax = 20;
const scanMax = 2000;
const limiter = newConcurrencyLimiter('a scheduled charge', 200, { account: 40, merchant: 80 });

/** Seconds until a claimed row may be claimed again: longer than two calls of 60 s, the first one declined. */
const leaseSeconds = 150;

// The MID is the chain's. The time is a subquery so that the planner uses the index of due times (callbacks.ts).
type ClaimParams = { now: Date; limit: number; busyMids: string[]; busyMerchants: string[] };
const claimDue = statement<ClaimParams, schedules.SubscriptionRow & { account: string; merchant: string }>(
  'subscriptions-due',
  `with seen as materialized (
  select u.id, u.mid_id, u.merchant_id, row_number() over (partition by u.mid_id order by u.due_at) as place
    from (select u.id, u.due_at, r.mid_id, s.merchant_id
            from subscriptions u join schedules s on s.id = u.schedule_id join recurring_chains r on r.token = u.chain_token
           where u.due_at <= (select :now::timestamptz) and u.stopped_at is null and not s.paused
             and r.mid_id <> all(:busyMids::uuid[]) and s.merchant_id <> all(:busyMerchants::uuid[])
           order by u.due_at limit ${scanMax}) u
), due as materialized (
  select * from seen where place <= ${midMax} order by place limit :limit::int
), locked as (
  select u.id, due.mid_id, due.merchant_id from subscriptions u join due on due.id = u.id
   where u.due_at <= (select :now::timestamptz) and u.stopped_at is null for update of u skip locked
)
update subscriptions u set due_at = :now::timestamptz + interval '${leaseSeconds} seconds'
  from locked where u.id = locked.id
returning ${schedules.subscriptionColumns}, locked.mid_id as account, locked.merchant_id as merchant`,
);

/** Charges one slot of each due subscription; returns their number. Long charges continue in the background. */
export async function chargeDue(now: Date, patience = roundMilliseconds): Promise<number> {
  // A charge is a new payment: another process makes it, or this one after its clock is corrected.
  if (isClockWrong()) return 0;
  const busy = { busyMids: limiter.busy('account'), busyMerchants: limiter.busy('merchant') };
  const process = (row: schedules.SubscriptionRow) =>
    processSubscription(schedules.toSubscription(row), now).catch((err) =>
      // Another process makes the charge when the lease has ended.
      log[isRejectedByClock(err) ? 'warn' : 'error'](
        { err, subscription: row['u.id'] },
        'a scheduled charge could not be made',
      ),
    );
  return limiter.claim(
    claimMax,
    (limit) => claimDue({ now, limit, ...busy }),
    ({ account, merchant, ...row }) => ({ keys: { account, merchant }, run: () => process(row) }),
    patience,
  );
}

/** If the database's clock is this far behind the process's, the process's clock is wrong. */
const clockAheadMilliseconds = 30_000;
const pauseMilliseconds = 5_000;

async function processSubscription(claimed: schedules.Subscription, now: Date): Promise<void> {
  const slot = await schedules.readSlot(claimed.id);
  if (slot?.subscription.done !== claimed.done || slot.subscription.retries !== claimed.retries) return;
  const { subscription, schedule } = slot;
  if (schedule.paused) return;
  const chain = slot.deleted ? null : await findChainByToken(subscription.chainToken);
  if (!chain) return schedules.endSubscription(subscription, 'chain or schedule is gone');
  const caller = await currentCallerOf(chain.first, now);
  const slotAttempts = await schedules.readSlotAttempts(subscription);
  if (slotAttempts.state === 'open') return schedules.postponeOpenSlot(subscription);
  if (slotAttempts.state === 'paid') return schedules.moveToNextSlot(subscription);
  if (slotAttempts.state === 'declined') {
    const attempt = await lastAttempt(slotAttempts.paymentId);
    const both = attempt && (await findPaymentWithTransaction(attempt.id));
    return both ? applyChargeOutcome(subscription, both, caller.mapping) : undefined;
  }
  if (subscription.done >= schedule.paymentsCount) return schedules.endSubscription(subscription, 'completed');
  if (subscription.retries > caller.mapping.scheduleRetries) return schedules.moveToNextSlot(subscription);
  if (!(await beginIfDue(slot, caller.mapping.missedSlots, now))) return;
  const both = await chargeSlot(caller, chain, subscription, now);
  if (both) return applyChargeOutcome(subscription, both, caller.mapping);
  return retryOrSkip(subscription, caller.mapping);
}

/** Decides whether the next slot is charged now, and begins it; otherwise postpones it. */
async function beginIfDue(slot: schedules.SubscriptionSlot, option: MissedSlots, now: Date): Promise<boolean> {
  const { subscription, schedule, at } = slot;
  // The decision about a slot that was begun before is kept.
  const before =
    subscription.begunSlot === subscription.done
      ? schedules.plannedAt(schedule, subscription, subscription.done)
      : null;
  if (before) return schedules.beginSlot(slot, before, { shift: subscription.shift, crowded: option === 'all' });
  const decision = schedules.decideSlot(schedule, subscription, option, at);
  logMissedSlots(subscription, option, decision);
  const isAhead = decision.at.getTime() - at.getTime() > schedules.leewayMilliseconds;
  if (decision.what === 'charge' || !isAhead || !isPostponementExpected(slot, decision)) {
    const { planned, shift } = decision;
    const begun = await schedules.beginSlot(slot, planned, { shift, crowded: option === 'all' });
    // A process whose clock is ahead finds the row due again at once; it pauses so that other processes get their turn.
    if (!begun && now.getTime() - at.getTime() > clockAheadMilliseconds) await setTimeout(pauseMilliseconds);
    return begun;
  }
  await schedules.moveToSlot(subscription, ({ subscription: { done, catchUpAt } }) => ({
    done,
    shift: decision.shift,
    dueAt: decision.at,
    catchUpAt: decision.what === 'announce' ? decision.at : catchUpAt,
  }));
  return false;
}

/** Whether the postponement of a due slot has a known reason: missed slots, or a plan that changed after the claim. */
function isPostponementExpected(
  { subscription, dueAt }: schedules.SubscriptionSlot,
  { what, at, shift }: schedules.SlotDecision,
): boolean {
  return (
    what === 'announce' ||
    at.getTime() === subscription.catchUpAt?.getTime() ||
    shift !== subscription.shift ||
    dueAt.getTime() === at.getTime()
  );
}

function logMissedSlots(
  { id, done, shift, catchUpAt }: schedules.Subscription,
  option: MissedSlots,
  decision: schedules.SlotDecision,
): void {
  const [first] = decision.missed;
  const isReported = option === 'all' && first && catchUpAt && first <= catchUpAt;
  if (!first || isReported) return;
  const [missed, passedOver] = [decision.missed.map(isoDay), decision.shift - shift];
  log.warn(
    { subscription: id, slot: done + 1, missed, passedOver, option, next: decision.at },
    'slots of a schedule were missed',
  );
}

/** Charges the next slot; null if no MID could carry it, which a later attempt may change. */
async function chargeSlot(
  caller: KnownCaller,
  chain: Chain,
  subscription: schedules.Subscription,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  const { retries, paymentId } = subscription;
  // The payer agreed to the order of the payment that put the chain on this schedule.
  const begun = (paymentId !== null && (await findPayment(paymentId))) || chain.first;
  const amountMinor = chargeAmountMinor(subscription, begun);
  const id = schedules.slotPaymentId(subscription, retries);
  const input = {
    id,
    orderAmount: formatAmount(amountMinor, begun.currency),
    currency: begun.currency,
    amountMinor,
    description: begun.description,
    customData: begun.customData,
    requestDigest: createHash('sha256').update(id).digest(),
    notificationUrl: begun.notificationUrl,
    scheduleId: subscription.scheduleId,
    subscriptionId: subscription.id,
  };
  const orderNumber = `${begun.orderNumber}/${schedules.attemptName(subscription)}`.slice(-255);
  // The merchant may already have an order with this number.
  for (const number of [orderNumber, `${orderNumber}/${id.slice(-8)}`.slice(-255)]) {
    try {
      return await paySubsequent(caller, chain, { ...input, orderNumber: number }, now);
    } catch (err) {
      if (!isRejectedCharge(err)) throw err;
      log.warn({ subscription: subscription.id, refusal: err.key }, 'a scheduled charge was rejected');
      if (err.key !== 'duplicatePayment') return null;
    }
  }
  return null;
}

/** Whether the charge was rejected, which counts as an attempt. */
export function isRejectedCharge(err: unknown): err is ApiError {
  return err instanceof ApiError && !isRejectedByClock(err);
}

/** The amount of each charge in minor units: the subscription's own, otherwise that of the payment that began it. */
export function chargeAmountMinor(
  { amount }: Pick<schedules.Subscription, 'amount'>,
  begun: Pick<Payment, 'orderAmount' | 'currency' | 'amountMinor'>,
): bigint {
  const parsed = parseAmount(amount ?? begun.orderAmount, begun.currency);
  return parsed.ok ? parsed.minor : begun.amountMinor;
}

type RetryPlan = { scheduleRetries: number; scheduleRetryHours: number };

/** Moves to the next slot, a retry of this one, or the end. An uncertain outcome is checked again later. */
async function applyChargeOutcome(
  subscription: schedules.Subscription,
  { payment, transaction }: PaymentWithTransaction,
  plan: RetryPlan,
): Promise<void> {
  if (isNotFinal(transaction) || payment.inFlightId !== null) return;
  if (transaction.status === 'success') return schedules.moveToNextSlot(subscription);
  if (transaction.declineSoft === false)
    return schedules.endSubscription(subscription, transaction.declineReason ?? 'declined');
  return retryOrSkip(subscription, plan);
}

/** A retry of the slot after the mapping's hours, or the next slot if no retries are left. */
function retryOrSkip(subscription: schedules.Subscription, plan: RetryPlan): Promise<void> {
  if (subscription.retries >= plan.scheduleRetries) return schedules.moveToNextSlot(subscription);
  return schedules.scheduleRetry(subscription, plan.scheduleRetryHours);
}
