/**
 * The charges of schedules. A subscription is a due row: claimed by pushing its due time forward, charged under an id
 * that stands for its slot, and then moved on. However often and by however many processes a slot is taken up, it is
 * charged once.
 */
import { createHash } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { isoDay } from '../core/dates';
import { ApiError } from '../core/errors';
import type { MissedSlots } from '../core/mapping-options';
import { formatAmount, parseAmount } from '../core/money';
import { isNotFinal, type Payment, type PaymentWithTransaction } from '../core/payment';
import { query } from '../db';
import { isClockWrong } from '../db/clock';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { callerOf } from '../merchants';
import {
  type Chain,
  findChainByToken,
  findPayment,
  findPaymentWithTransaction,
  lastAttempt,
  paySubsequent,
} from '../payments';
import {
  attemptName,
  beginSlot,
  decideSlot,
  endSubscription,
  leewayMilliseconds,
  moveToNextSlot,
  moveToSlot,
  plannedAt,
  readSlot,
  readSlotAttempts,
  type SlotDecision,
  type Subscription,
  type SubscriptionRow,
  type SubscriptionSlot,
  scheduleRetry,
  slotPaymentId,
  subscriptionColumns,
  toSubscription,
} from '../schedules';
import { log } from '../telemetry';

/** Rows of one claim: of all accounts, of one, and those that are looked through for them, in the order of their due times. */
const claimMax = 100;
const midMax = 20;
const scanMax = 2000;
const limiter = newConcurrencyLimiter('a scheduled charge', 200, { account: 40, merchant: 80 });

/** Seconds until a claimed row may be claimed again: longer than two calls of 60 s, the first one declined. */
const leaseSeconds = 150;

// The account is that of the chain. A planner that does not see the time goes by the index of the due times (callbacks.ts).
const claimSql = `
with seen as materialized (
  select u.id, u.mid_id, u.merchant_id, row_number() over (partition by u.mid_id order by u.due_at) as place
    from (select u.id, u.due_at, r.mid_id, s.merchant_id
            from subscriptions u join schedules s on s.id = u.schedule_id join recurring_chains r on r.token = u.chain_token
           where u.due_at <= (select $1::timestamptz) and u.stopped_at is null and not s.paused
             and r.mid_id <> all($3::uuid[]) and s.merchant_id <> all($4::uuid[])
           order by u.due_at limit ${scanMax}) u
), due as materialized (
  select * from seen where place <= ${midMax} order by place limit $2::int
), locked as (
  select u.id, due.mid_id, due.merchant_id from subscriptions u join due on due.id = u.id
   where u.due_at <= (select $1::timestamptz) and u.stopped_at is null for update of u skip locked
)
update subscriptions u set due_at = $1::timestamptz + interval '${leaseSeconds} seconds'
  from locked where u.id = locked.id
returning ${subscriptionColumns}, locked.mid_id as account, locked.merchant_id as merchant`;

/**
 * Claims subscriptions that are due and charges one slot of each; returns how many there were. What takes longer than
 * `patience` milliseconds goes on in the background.
 */
export async function chargeDue(now: Date, patience = roundMilliseconds): Promise<number> {
  const limit = Math.min(claimMax, limiter.free());
  // A charge is a new payment: another process makes it, or this one when its clock is right again.
  if (limit === 0 || isClockWrong()) return 0;
  const rows = await query<SubscriptionRow & { account: string; merchant: string }>('subscriptions-due', claimSql, [
    now,
    limit,
    limiter.busy('account'),
    limiter.busy('merchant'),
  ]);
  const pieces = rows.map(({ account, merchant, ...row }) => ({
    keys: { account, merchant },
    run: () =>
      processSubscription(toSubscription(row), now).catch((err) =>
        log.error({ err, subscription: row.id }, 'a scheduled charge could not be made'),
      ),
  }));
  await limiter.start(pieces, patience);
  return rows.length;
}

/** Where the database's clock is this far behind the process's, the process is the one that is wrong. */
const clockAheadMilliseconds = 30_000;
const pauseMilliseconds = 5_000;

async function processSubscription(claimed: Subscription, now: Date): Promise<void> {
  const held = await readSlot(claimed.id);
  if (held?.subscription.done !== claimed.done || held.subscription.retries !== claimed.retries) return;
  const { subscription, schedule } = held;
  if (schedule.paused) return;
  const chain = held.deleted ? null : await findChainByToken(subscription.chainToken);
  if (!chain) return endSubscription(subscription, 'chain or schedule is gone');
  const caller = await callerOf(chain.first);
  const tries = await readSlotAttempts(subscription);
  if (tries.state === 'open') return;
  if (tries.state === 'paid') return moveToNextSlot(subscription);
  if (tries.state === 'declined') {
    const attempt = await lastAttempt(tries.paymentId);
    const both = attempt && (await findPaymentWithTransaction(attempt.id));
    return both ? applyChargeOutcome(subscription, both, caller.mapping) : undefined;
  }
  if (subscription.done >= schedule.paymentsCount) return endSubscription(subscription, 'completed');
  if (subscription.retries > caller.mapping.scheduleRetries) return moveToNextSlot(subscription);
  if (!(await beginIfDue(held, caller.mapping.missedSlots, now))) return;
  const both = await chargeSlot(caller, chain, subscription, now);
  if (both) return applyChargeOutcome(subscription, both, caller.mapping);
  return retryOrSkip(subscription, caller.mapping);
}

/** Decides whether the slot that is next is charged now, and begins it; what is not to be charged yet is put off. */
async function beginIfDue(held: SubscriptionSlot, option: MissedSlots, now: Date): Promise<boolean> {
  const { subscription, schedule, at } = held;
  // A slot that was begun before has been decided about.
  const planned =
    subscription.begunSlot === subscription.done ? plannedAt(schedule, subscription, subscription.done) : null;
  if (planned) return beginSlot(held, planned, { shift: subscription.shift, crowded: option === 'all' });
  const decision = decideSlot(schedule, subscription, option, at);
  logMissedSlots(subscription, option, decision);
  const isAhead = decision.at.getTime() - at.getTime() > leewayMilliseconds;
  if (decision.what === 'charge' || !isAhead || !isPostponementExpected(held, decision)) {
    const begun = await beginSlot(held, decision.at, { shift: decision.shift, crowded: option === 'all' });
    // A process whose clock is ahead finds the row due again at once: it leaves the others their turn.
    if (!begun && now.getTime() - at.getTime() > clockAheadMilliseconds) await setTimeout(pauseMilliseconds);
    return begun;
  }
  await moveToSlot(subscription, ({ subscription: { done, catchUpAt } }) => ({
    done,
    shift: decision.shift,
    dueAt: decision.at,
    catchUpAt: decision.what === 'announce' ? decision.at : catchUpAt,
  }));
  return false;
}

/** Why a slot that was due is not to be charged yet: slots were missed, or the plan has changed since it was claimed. */
function isPostponementExpected({ subscription, dueAt }: SubscriptionSlot, { what, at, shift }: SlotDecision): boolean {
  return (
    what === 'announce' ||
    at.getTime() === subscription.catchUpAt?.getTime() ||
    shift !== subscription.shift ||
    dueAt.getTime() === at.getTime()
  );
}

function logMissedSlots(
  { id, done, shift, catchUpAt }: Subscription,
  option: MissedSlots,
  decision: SlotDecision,
): void {
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
async function chargeSlot(
  caller: Awaited<ReturnType<typeof callerOf>>,
  chain: Chain,
  subscription: Subscription,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  const { retries, paymentId } = subscription;
  // What the payer agreed to is the order of the payment that put the chain on this schedule.
  const begun = (paymentId !== null && (await findPayment(paymentId))) || chain.first;
  const amountMinor = chargeAmountMinor(subscription, begun);
  const id = slotPaymentId(subscription, retries);
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
  const orderNumber = `${begun.orderNumber}/${attemptName(subscription)}`.slice(-255);
  // An order of the merchant's own may have the number already.
  for (const number of [orderNumber, `${orderNumber}/${id.slice(-8)}`.slice(-255)]) {
    try {
      return await paySubsequent(caller, chain, { ...input, orderNumber: number }, now);
    } catch (err) {
      if (!(err instanceof ApiError)) throw err;
      log.warn({ subscription: subscription.id, refusal: err.key }, 'a scheduled charge was refused');
      if (err.key !== 'duplicatePayment') return null;
    }
  }
  return null;
}

/** What a subscription charges each time, in minor units: its own amount, else that of the payment that began it. */
export function chargeAmountMinor(
  { amount }: Pick<Subscription, 'amount'>,
  begun: Pick<Payment, 'orderAmount' | 'currency' | 'amountMinor'>,
): bigint {
  const parsed = parseAmount(amount ?? begun.orderAmount, begun.currency);
  return parsed.ok ? parsed.minor : begun.amountMinor;
}

type RetryPlan = { scheduleRetries: number; scheduleRetryHours: number };

/** To the next slot, to another try of this one, or to the end. An outcome that is not certain is looked at again. */
async function applyChargeOutcome(
  subscription: Subscription,
  { payment, transaction }: PaymentWithTransaction,
  plan: RetryPlan,
): Promise<void> {
  if (isNotFinal(transaction) || payment.inFlightId !== null) return;
  if (transaction.status === 'success') return moveToNextSlot(subscription);
  if (transaction.declineSoft === false) return endSubscription(subscription, transaction.declineReason ?? 'declined');
  return retryOrSkip(subscription, plan);
}

/** Another try of the slot after the mapping's hours, or the next slot where it has had its tries. */
function retryOrSkip(subscription: Subscription, plan: RetryPlan): Promise<void> {
  if (subscription.retries >= plan.scheduleRetries) return moveToNextSlot(subscription);
  return scheduleRetry(subscription, plan.scheduleRetryHours);
}
