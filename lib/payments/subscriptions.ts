/**
 * The charges of schedules. A subscription is a due row: claimed by pushing its due time forward, charged under an id
 * that stands for its slot, and then moved on. However often and by however many processes a slot is taken up, it is
 * charged once.
 */
import { createHash } from 'node:crypto';
import { v5 } from 'uuid';
import { isClockWrong } from '../clock';
import { Refusal } from '../core/errors';
import { formatAmount, parseAmount } from '../core/money';
import { query } from '../db';
import { log } from '../log';
import { type Chain, chainOf, payRecurring } from './direct';
import { findPayment } from './find';
import { callerOf } from './merchants';
import { isOpen, type Payment, type Transaction } from './payment';
import {
  findSchedule,
  nextDue,
  type Schedule,
  type Subscription,
  type SubscriptionRow,
  setNext,
  subscriptionColumns,
  toSubscription,
} from './schedules';
import { newShares, roundMilliseconds } from './shares';

/** Rows of one claim: of all accounts, of one, and those that are looked through for them, in the order of their due times. */
const claimMax = 100;
const accountMax = 20;
const seenMax = 2000;
const shares = newShares('a scheduled charge', 200, { account: 40, merchant: 80 });

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
           order by u.due_at limit ${seenMax}) u
), due as materialized (
  select * from seen where place <= ${accountMax} order by place limit $2::int
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
  const limit = Math.min(claimMax, shares.free());
  // A charge is a new payment: another process makes it, or this one when its clock is right again.
  if (limit === 0 || isClockWrong()) return 0;
  const rows = await query<SubscriptionRow & { account: string; merchant: string }>('subscriptions-due', claimSql, [
    now,
    limit,
    shares.busy('account'),
    shares.busy('merchant'),
  ]);
  const pieces = rows.map(({ account, merchant, ...row }) => ({
    keys: { account, merchant },
    run: () =>
      charge(toSubscription(row), now).catch((err) =>
        log.error({ err, subscription: row.id }, 'a scheduled charge could not be made'),
      ),
  }));
  await shares.start(pieces, patience);
  return rows.length;
}

async function charge(subscription: Subscription, now: Date): Promise<void> {
  const chain = await chainOf(subscription.chainToken);
  const schedule = chain && (await findSchedule(chain.first.merchantId, subscription.scheduleId));
  if (!chain || !schedule) return stop(subscription, 'chain or schedule is gone', now);
  const due = nextDue(schedule, subscription);
  if (!due) return stop(subscription, 'completed', now);
  // The schedule may have changed since this was due.
  if (subscription.retries === 0 && due > now) return setNext(subscription, due, now);
  const earlier = await earlierTry(subscription);
  if (earlier === 'open') return;
  if (earlier === 'paid') return advanceSlot(subscription, schedule, now);
  const caller = await callerOf(chain.first);
  const both = await tryCharge(caller, chain, subscription, now);
  if (both) return moveOn(subscription, schedule, both.transaction, caller.mapping, now);
  return tryLater(subscription, schedule, caller.mapping, now);
}

/** The payment that a try of a slot is: the same id whoever makes it and however often. */
function tryId({ id, done }: Subscription, retry: number): string {
  return v5(`slot-${nameOf(done, retry)}`, id);
}

const nameOf = (done: number, retry: number) => `${done + 1}${retry > 0 ? `-${retry + 1}` : ''}`;

/** What has become of the slot's declined tries: their merchant may have tried one again (RETRY), and been paid. */
async function earlierTry(subscription: Subscription): Promise<'paid' | 'open' | null> {
  if (subscription.retries === 0) return null;
  const ids = Array.from({ length: subscription.retries }, (_, retry) => tryId(subscription, retry));
  const rows = await query<{ paid: boolean }>(
    'subscription-tries',
    `select in_flight_id is null as paid from payments
      where id = any($1::uuid[]) and (in_flight_id is not null or (state <> 'declined' and attempts > 0))`,
    [ids],
  );
  if (rows.length === 0) return null;
  return rows.every((row) => row.paid) ? 'paid' : 'open';
}

/** Charges the slot that is next; null when nobody could carry it, which a later try may change. */
async function tryCharge(
  caller: Awaited<ReturnType<typeof callerOf>>,
  chain: Chain,
  subscription: Subscription,
  now: Date,
): Promise<Both | null> {
  const { done, retries, paymentId } = subscription;
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
  const orderNumber = `${begun.orderNumber}/${nameOf(done, retries)}`.slice(-255);
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

/** To the next slot, to another try of this one, or to the end. An open outcome is looked at again. */
async function moveOn(sub: Subscription, schedule: Schedule, charged: Transaction, plan: Plan, now: Date) {
  if (isOpen(charged)) return;
  if (charged.status === 'success') return advanceSlot(sub, schedule, now);
  if (charged.declineSoft === false) return stop(sub, charged.declineReason ?? 'declined', now);
  return tryLater(sub, schedule, plan, now);
}

/** Another try of the slot after the mapping's hours, or the next slot where it has had its tries. */
async function tryLater(subscription: Subscription, schedule: Schedule, plan: Plan, now: Date): Promise<void> {
  if (subscription.retries >= plan.scheduleRetries) return advanceSlot(subscription, schedule, now);
  const dueAt = new Date(now.getTime() + plan.scheduleRetryHours * 3_600_000);
  await query(
    'subscription-retry',
    `update subscriptions set retries = retries + 1, due_at = $3::timestamptz
      where id = $1 and done = $2 and retries = $4 and stopped_at is null`,
    [subscription.id, subscription.done, dueAt, subscription.retries],
  );
}

function advanceSlot(subscription: Subscription, schedule: Schedule, now: Date): Promise<void> {
  const done = subscription.done + 1;
  return setNext(subscription, nextDue(schedule, { ...subscription, done }), now, done);
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
