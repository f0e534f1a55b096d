/**
 * Processes due unresolved items. An item is due when it is created, and whenever the provider reports on its transaction:
 * it closes if a look-up finds that provider and payment agree. Money that the provider took without a matching payment
 * is voided, else refunded, else the item waits for a manual decision. The MID's setting defines the first step. An item
 * has the action that is sent next before it is sent, so that repeats are the same request.
 */
import { v5 } from 'uuid';
import type { Outcome } from '../connectors/index.ts';
import { isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import { statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { applyOutcome, findDiscrepancy } from './attempt/outcome.ts';
import { findDifference, isBusy, isFinalOutcome, listDifference, refundedResolution } from './compare-outcome.ts';
import { lookUpOutcome, voidOrRefund } from './provider-requests.ts';
import { cancelAtProvider } from './provider-sync.ts';
import { findPaymentWithTransaction, getPaymentWithTransaction } from './queries.ts';
import { longestInterval, secondsSince } from './transitions.ts';
import {
  closeUnresolved,
  isEndReported,
  itemsOf,
  recheckItems,
  toUnresolved,
  type Unresolved,
  type UnresolvedAction,
  type UnresolvedKind,
  type UnresolvedRow,
  unresolvedColumns,
  updateAmount,
} from './unresolved.ts';

/** Longer than the calls of one item, each with former and current credentials: three look-ups and a void or refund. */
const leaseSeconds = 240;
const batch = 20;
/** Concurrent items of one process, limited per merchant so that one slow provider does not delay the others. */
const limiter = newConcurrencyLimiter('an unresolved item', 200, { merchant: batch });

const claimDue = statement<{ now: Date; limit: number; busyMerchants: string[] }, UnresolvedRow>(
  'unresolved-due',
  `update unresolved u set due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls = u.polls + 1
    where u.id in (select id from unresolved where due_at <= :now::timestamptz and merchant_id <> all(:busyMerchants::uuid[])
                    order by due_at limit :limit::int for update skip locked)
   returning ${unresolvedColumns}`,
);

/** Claims and resolves due items; returns how many. Work over `waitMilliseconds` continues in the background. */
export function resolveDueItems(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  const process = (item: Unresolved) =>
    resolveItem(item, now).catch((err) => log.error({ err, unresolved: item.id }, 'an item was not resolved'));
  return limiter.claim(
    batch,
    async (limit) => (await claimDue({ now, limit, busyMerchants: limiter.busy('merchant') })).map(toUnresolved),
    (item) => ({ keys: { merchant: item.merchantId }, run: () => process(item) }),
    waitMilliseconds,
  );
}

/** These need a manual decision, whatever the provider reports afterwards. */
const manualKinds: UnresolvedKind[] = ['overpaid', 'chargeback_mismatch', 'returned_twice'];

async function resolveItem(item: Unresolved, now: Date): Promise<void> {
  if (manualKinds.includes(item.kind)) return scheduleItem(item, 'task', null);
  const before = await getPaymentWithTransaction(item.transactionId);
  // The item is stored before the answer to which it belongs: an attempt without one cannot be cancelled yet.
  if (before.transaction.status === 'sent') return rescheduleItem(item, now);
  if (isNotFinal(before.transaction)) return resolveUndecided(item, before, now);
  const items = await itemsOf(before.transaction);
  const { current, both } = await lookUpAndRead(item);
  if (!isFinalOutcome(current)) return rescheduleItem(item, now);
  const difference = await findDifference(both, current, items);
  if (difference !== null && (await isBusy(both, current))) return rescheduleItem(item, now);
  if (difference === null && !isStillHeld(item, both.payment)) return closeAgreed(item, both, items, now);
  const isSuccess = both.transaction.status === 'success';
  // A late success beside an item with a sent refund would be refunded twice.
  const isListed =
    difference !== null &&
    (isSuccess || item.refundSentAt === null) &&
    (await listDifference(both, current, difference, items, now));
  const isReplaced = isListed && item.kind !== difference && item.refundSentAt === null;
  const isHeld = current.kind === 'authorized' && isStillHeld(item, both.payment);
  if (isReplaced && !isHeld) return closeItem(item, both, replacedResolution, now);
  // A reported success is undone by users only.
  if (isSuccess) return scheduleItem(item, 'task', null);
  return isRefundOfAuthorisation(item, current)
    ? scheduleItem(item, 'void', now)
    : act(await withReportedAmount(item, current), both, now);
}

/** The item with the amount that the provider reports now; one whose refund was sent keeps its amount. */
async function withReportedAmount(item: Unresolved, outcome: Outcome): Promise<Unresolved> {
  const amount = outcome.kind === 'approved' || outcome.kind === 'authorized' ? outcome.amount : undefined;
  if (!amount || item.refundSentAt !== null) return item;
  await updateAmount(item.transactionId, item.kind, amount);
  return { ...item, amount };
}

/**
 * Looks the item's transaction up and reads it afterwards: an operation that may explain the provider's answer was
 * recorded before it was sent.
 */
async function lookUpAndRead({
  transactionId,
}: Unresolved): Promise<{ current: Outcome; both: PaymentWithTransaction }> {
  const { transaction } = await getPaymentWithTransaction(transactionId);
  const current = await lookUpOutcome(transaction);
  return { current, both: await getPaymentWithTransaction(transactionId) };
}

/** Resolves an item of an operation that is not final: an outcome that fits the request now is left to the next poll. */
async function resolveUndecided(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  if (item.action === 'void') return cancelAttempt(item, both, now);
  const isNotFound = item.kind === 'not_found';
  // The item closes when a later cancellation or answer has decided the attempt.
  if (item.action === 'task' && !isNotFound) return rescheduleItem(item, now);
  const current = await lookUpOutcome(both.transaction);
  if (isNotFound && !['absent', 'unknown'].includes(current.kind)) return closeItem(item, both, foundResolution, now);
  if (findDiscrepancy(both, current) === null) return rescheduleItem(item, now);
  return isRefundOfAuthorisation(item, current)
    ? scheduleItem(item, 'void', now)
    : resolveByRefund(await withReportedAmount(item, current), both.transaction, now);
}

/** Whether a refund would be sent for an authorisation, which has no money to refund: it is voided. */
const isRefundOfAuthorisation = ({ action }: Unresolved, { kind }: Outcome) =>
  action === 'refund' && kind === 'authorized';

/**
 * Closes an item with which the provider agrees. The void or refund of a late success may be undecided: it is sent again
 * under its key, and the item stays open until the provider has decided it. After a rejection the provider has to agree
 * again: the look-up before may be older than the success.
 */
async function closeAgreed(
  item: Unresolved,
  both: PaymentWithTransaction,
  items: readonly Unresolved[],
  now: Date,
): Promise<void> {
  // The payment was settled after a refund was sent, which the provider may have carried out: a user decides.
  if (item.refundSentAt !== null && both.transaction.status === 'success') return scheduleItem(item, 'task', null);
  if (item.kind !== 'late_success' || item.action === 'task') return closeItem(item, both, undoneResolution, now);
  // An authorisation has no money to refund, unless it was captured and a refund was sent.
  const isVoided = both.transaction.kind === 'authorize' && item.refundSentAt === null;
  const operation = isVoided ? 'void' : item.action;
  const outcome = await returnMoney(item, operation, both.transaction, now);
  if (outcome.kind === 'approved') return closeItem(item, both, returnedResolutions[operation], now);
  if (outcome.kind !== 'declined') return rescheduleItem(item, now);
  const { current, both: after } = await lookUpAndRead(item);
  const isAgreed = isFinalOutcome(current) && (await findDifference(after, current, items)) === null;
  return isAgreed ? closeItem(item, after, undoneResolution, now) : rescheduleItem(item, now);
}

type SendingParams = { id: string; polls: number; minor: bigint; currency: string; now: Date };
const recordSending = statement<SendingParams, { id: string }>(
  'unresolved-sending',
  `update unresolved set refund_sent_at = coalesce(refund_sent_at, :now::timestamptz)
    where id = :id and closed_at is null and polls = :polls
      and amount_minor = :minor::bigint and currency = :currency::text
   returning id`,
);

/**
 * Voids or refunds the attempt of an item. Repeats are one operation; refunds of different amounts are not repeats. A
 * refund is recorded before it is sent; it is not sent for an item that is due again, or has another amount, meanwhile.
 */
async function returnMoney(
  { id, polls, amount }: Unresolved,
  operation: 'void' | 'refund',
  transaction: Transaction,
  now: Date,
): Promise<Outcome> {
  if (operation === 'void') return voidOrRefund(transaction, operation, v5('unresolved-void', transaction.id));
  if ((await recordSending({ id, polls, ...amount, now })).length === 0)
    return { kind: 'unknown', why: 'the item has changed' };
  const key = v5(`unresolved-refund ${amount.minor} ${amount.currency}`, transaction.id);
  const outcome = await voidOrRefund(transaction, operation, key, amount);
  const returned = (outcome.kind === 'approved' && outcome.amount) || amount;
  const isWhole = returned.minor === amount.minor && returned.currency === amount.currency;
  return isWhole ? outcome : { kind: 'declined', decline: anotherAmountReturned, facts: {} };
}

const anotherAmountReturned = {
  code: 'amount_mismatch',
  reason: 'The provider has refunded another amount',
  class: 'bank',
  soft: false,
} as const;

/** Whether the provider has rejected the refund itself. A technical rejection proves nothing about an earlier request. */
const isNothingRefunded = (outcome: Outcome) =>
  outcome.kind === 'declined' && outcome.decline.class !== 'technical' && outcome.decline !== anotherAmountReturned;

/** Whether an authorisation that has expired is not voided yet, which the provider reports as authorised. */
const isStillHeld = ({ kind }: Unresolved, { state }: Payment) => kind === 'not_released' && state === 'pending';

function act(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  if (item.action === 'void') return resolveByVoid(item, both, now);
  if (item.action === 'refund') return resolveByRefund(item, both.transaction, now);
  return scheduleItem(item, 'task', null);
}

async function cancelAttempt(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  const { payment, transaction } = await cancelAtProvider(both, item.reason, now);
  if (transaction.status === 'success') return scheduleItem(item, 'void', now);
  if (!isNotFinal(transaction)) return closeItem(item, { payment, transaction }, returnedResolutions.void, now);
  return transaction.rejectedCancels > both.transaction.rejectedCancels
    ? continueAfterRejectedVoid(item, transaction, now)
    : rescheduleItem(item, now);
}

/** Schedules what follows a rejected void: a refund, or a user's decision where the money is only authorised. */
async function continueAfterRejectedVoid(item: Unresolved, transaction: Transaction, now: Date): Promise<void> {
  const { kind } = await lookUpOutcome(transaction);
  if (kind === 'approved') return scheduleItem(item, 'refund', now);
  return kind === 'authorized' ? scheduleItem(item, 'task', now) : rescheduleItem(item, now);
}

/** Voids the attempt of an item. */
async function resolveByVoid(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  const outcome = await returnMoney(item, 'void', both.transaction, now);
  if (outcome.kind === 'approved') return closeItem(item, both, returnedResolutions.void, now);
  return outcome.kind === 'declined'
    ? continueAfterRejectedVoid(item, both.transaction, now)
    : rescheduleItem(item, now);
}

/** Refunds the amount of an item. */
async function resolveByRefund(item: Unresolved, transaction: Transaction, now: Date): Promise<void> {
  const outcome = await returnMoney(item, 'refund', transaction, now);
  // Nothing can be refunded where the attempt has been undone at the provider since: the next look-up closes the item.
  if (outcome.kind === 'declined') return scheduleItem(item, 'task', now, isNothingRefunded(outcome));
  if (outcome.kind !== 'approved') return rescheduleItem(item, now);
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  const fresh = await getPaymentWithTransaction(transaction.id);
  const after = isNotFinal(fresh.transaction)
    ? await applyOutcome(fresh, { kind: 'declined', decline, facts: {} }, now, true)
    : fresh;
  // The provider has reported the requested amount meanwhile: a user decides.
  if (after.transaction.status === 'success') return scheduleItem(item, 'task', null);
  await closeItem(item, after, returnedResolutions.refund, now);
}

const returnedResolutions = { void: 'Voided at the provider', refund: refundedResolution };
const agreedResolution = 'The provider and the payment agree';
const foundResolution = 'Found at the provider';
const undoneResolution = 'Undone at the provider';
const replacedResolution = 'Listed as another difference';

// An attempt that is declined here has its own callback. A late success of a payment that was paid by another attempt
// is not reported to the merchant.
async function closeItem(item: Unresolved, before: PaymentWithTransaction, done: string, now: Date): Promise<void> {
  const isLate = item.kind === 'late_success';
  const ended = done === undoneResolution && !isLate ? agreedResolution : done;
  // The provider may have taken more while it refunded.
  const isLookedUpAgain = done === returnedResolutions.refund;
  const closing = { by: 'florin', unlessChanged: isLate, polls: item.polls, isLookedUpAgain };
  let isClosed = false;
  for (let round = 0; !isClosed && round < 3; round += 1) {
    const both = (await findPaymentWithTransaction(item.transactionId)) ?? before;
    const reported = isLate && (await isEndReported(item, both));
    const resolution = isLate && !reported ? `${ended}, beside the payment` : ended;
    isClosed = await closeUnresolved(both, item, { ...closing, resolution, reported }, now);
  }
  if (done !== undoneResolution && !isLate) await recheckItems(item.transactionId, now);
}

type ScheduleParams = {
  id: string;
  action: UnresolvedAction;
  dueAt: Date | null;
  polls: number;
  isNothingRefunded: boolean;
};

const schedule = statement<ScheduleParams>(
  'unresolved-schedule',
  `update unresolved set action = :action::"LateSuccess", due_at = :dueAt::timestamptz,
                         refund_sent_at = case when :isNothingRefunded::boolean then null else refund_sent_at end
    where id = :id and closed_at is null and polls = :polls`,
);

/**
 * Sets the next step of an item; without a time it waits for a user. No effect on one that is due again meanwhile.
 * `isNothingRefunded`: the provider has rejected the refund that was sent.
 */
async function scheduleItem(
  { id, polls }: Unresolved,
  action: UnresolvedAction,
  dueAt: Date | null,
  isNothingRefunded = false,
): Promise<void> {
  await schedule({ id, action, dueAt, polls, isNothingRefunded });
}

function rescheduleItem(item: Unresolved, now: Date): Promise<void> {
  const longest = longestInterval(secondsSince(item.createdAt, now), 3600);
  const seconds = Math.min(5 * 2 ** Math.min(item.polls, 13), longest);
  return scheduleItem(item, item.action, new Date(now.getTime() + seconds * 1000));
}

/** A manual decision: close the item as it is, or set the outcome of an operation that is not final. */
export type ManualResolution = 'closed' | 'approved' | 'declined';

/** The status of a transaction that was decided so. */
const decidedStatus = { approved: 'success', declined: 'fail' } as const;

/**
 * Closes an item by a manual decision. An operation that is not final becomes approved or declined first. False where
 * the item is closed already, or the decision does not apply, as after another outcome: then the item stays open.
 */
export async function resolveManually(
  item: Unresolved,
  decision: ManualResolution,
  { by, note }: { by: string; note: string },
  now: Date,
): Promise<boolean> {
  const both = await findPaymentWithTransaction(item.transactionId);
  if (!both || item.closedAt !== null) return false;
  if (isNotFinal(both.transaction) !== (decision !== 'closed')) return false;
  const closing = { by, resolution: note, reported: false };
  if (decision === 'closed') return closeUnresolved(both, item, closing, now);
  await applyOutcome(both, decidedOutcome(item, decision, both.transaction), now, true, true);
  const fresh = await getPaymentWithTransaction(item.transactionId);
  const isDecided = fresh.transaction.status === decidedStatus[decision];
  const isClosed = isDecided && (await closeUnresolved(fresh, item, closing, now));
  await recheckItems(item.transactionId, now);
  return isClosed;
}

function decidedOutcome(
  item: Unresolved,
  decision: Exclude<ManualResolution, 'closed'>,
  { kind, amountMinor: minor, currency }: Transaction,
): Outcome {
  if (decision === 'approved')
    return { kind: kind === 'authorize' ? 'authorized' : 'approved', amount: { minor, currency }, facts: {} };
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  return { kind: 'declined', decline, facts: {} };
}
