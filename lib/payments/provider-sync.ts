/** Synchronises transactions after returns, notifications and polls: each may be repeated, late or out of order. */

import { v5 } from 'uuid';
import type { Outcome } from '../connectors/index.ts';
import { newId } from '../core/ids.ts';
import { isAttempt, isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import type { PayerReply } from '../core/presentation.ts';
import { findMidOf } from '../merchants/index.ts';
import { allowsFailover, notReceived, rebuildPayload, resolveAttempt } from './attempt/failover.ts';
import { applyOutcome, challengeSeconds, messageSeconds, redirectSeconds } from './attempt/outcome.ts';
import { callProvider, firstPollAt, timeoutSecondsOf } from './attempt/provider-call.ts';
import { bookChargebacks, flagDoubleReturn } from './chargebacks.ts';
import { compareFinalOutcome, compareLateOutcome, isFinalOutcome } from './compare-outcome.ts';
import { requestLookup } from './due-lookups.ts';
import { resendModification } from './modifications.ts';
import { cancelKey, findProvider, lookUpOutcome, voidOrRefund } from './provider-requests.ts';
import { findPaymentWithTransaction, getPaymentWithTransaction, lastTransactionOfAttempt } from './queries.ts';
import {
  commitTransition,
  countRejectedCancels,
  markCancelling,
  markResent,
  newCallback,
  nextPollAt,
  notReceivedAfterSeconds,
  reschedulePolls,
  secondsSince,
} from './transitions.ts';
import { createUnresolved, itemsOf, recheckItems } from './unresolved.ts';

/** A transaction that can be looked up: the provider does not know a chargeback by our id, and is never sent one. */
async function findLookedUp(transactionId: string): Promise<PaymentWithTransaction | null> {
  const both = await findPaymentWithTransaction(transactionId);
  return both?.transaction.kind === 'chargeback' ? null : both;
}

/** Requests the status of a transaction that is not final and applies it. Null for an unknown id. */
export async function pollTransaction(transactionId: string, now: Date): Promise<PaymentWithTransaction | null> {
  const both = await findLookedUp(transactionId);
  if (!both || !isNotFinal(both.transaction)) return both;
  return syncTransaction(both, now);
}

/**
 * Handles a visit of the return address. It proves nothing, because anyone who knows the id can open the address. A
 * declined attempt is looked up too: the provider may have settled it.
 */
export async function handlePayerReturn(transactionId: string, now: Date): Promise<void> {
  const both = await findLookedUp(transactionId);
  if (both && both.transaction.status !== 'success') await syncTransaction(both, now);
}

/**
 * Looks a transaction up and applies the result: a transaction that is not final gets the outcome, a final one is
 * compared with it. `again` where there was no answer, or a cancellation is undecided; `open` where the provider has
 * not decided: another process may hold an older answer, and record it later.
 */
export async function handleProviderNotification(transactionId: string, now: Date): Promise<'done' | 'open' | 'again'> {
  const both = await findLookedUp(transactionId);
  if (!both) return 'done';
  const reported = await lookUpOutcome(both.transaction);
  const { isCompared } = await applyLookup(both, reported, now);
  if (!isCompared || reported.kind === 'unknown' || reported.kind === 'absent') return 'again';
  return isFinalOutcome(reported) ? 'done' : 'open';
}

/** Looks up and applies the outcome. A pending cancellation, left by a process that ended, is completed instead. */
async function syncTransaction(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  const { cancelReason } = transaction;
  if (!isNotFinal(transaction) || cancelReason === null) {
    const reported = await lookUpOutcome(transaction);
    const { after, isCompared } = await applyLookup(both, reported, now);
    if (!isNotFinal(transaction) && !isCompared && isFinalOutcome(reported)) await requestLookup(transaction.id, now);
    return after;
  }
  const after = await cancelAtProvider(both, cancelReason, now);
  if (hasEnded(both, after)) await recheckItems(transaction.id, now);
  return after;
}

/** Whether a transaction has become final. Another account may continue the payment by an attempt that is not. */
function hasEnded({ transaction }: PaymentWithTransaction, after: PaymentWithTransaction): boolean {
  return isNotFinal(transaction) && (after.transaction.id !== transaction.id || !isNotFinal(after.transaction));
}

/** Whether what was reported of a transaction counts: during a cancellation only after the provider has rejected the void. */
const isApplied = (before: Transaction, { cancelReason, rejectedCancels }: Transaction) =>
  (before.cancelReason === null && cancelReason === null) || rejectedCancels > 0;

/** Applies a look-up to a transaction in any state. `isCompared` is false where the comparison has to wait. */
async function applyLookup(
  both: PaymentWithTransaction,
  reported: Outcome,
  now: Date,
): Promise<{ after: PaymentWithTransaction; isCompared: boolean }> {
  const { transaction } = both;
  const after = isNotFinal(transaction) ? await applyLookupToNotFinal(both, reported, now) : both;
  const isCompared = isNotFinal(transaction)
    ? isApplied(transaction, after.transaction)
    : await compareFinalOutcome(transaction, reported, now);
  if (hasEnded(both, after) && transaction.status !== 'sent') await recheckItems(transaction.id, now);
  if (!isAttempt(transaction) && !isNotFinal(after.transaction)) await flagDoubleReturn(after, now);
  if ('facts' in reported && reported.facts.chargebacks) {
    // The ids of chargebacks are derived from the attempt, also where a look-up of a refund lists them.
    const { id, paymentId, attemptId } = transaction;
    const attempt = attemptId && !isAttempt(transaction) ? await lastTransactionOfAttempt(paymentId, attemptId) : null;
    await bookChargebacks(attempt?.id ?? id, reported.facts.chargebacks, now);
  }
  return { after, isCompared };
}

async function applyLookupToNotFinal(
  both: PaymentWithTransaction,
  reported: Outcome,
  now: Date,
): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  if (transaction.cancelReason !== null) return cancelAtProvider(both, transaction.cancelReason, now);
  if (reported.kind === 'absent') return handleNotFound(both, now);
  return isLeftToRunningCall(transaction, reported) ? both : resolveAttempt(both, reported, null, now);
}

// Only the process whose call is in progress has the security code, which a failover needs.
function isLeftToRunningCall({ status, method, overdueSeconds }: Transaction, reported: Outcome): boolean {
  const isInProgress = status === 'sent' && overdueSeconds !== null && overdueSeconds < 0;
  return isInProgress && method === 'card' && reported.kind === 'declined' && allowsFailover(reported.decline);
}

/**
 * "Not found" is not final: a request can be late, a process suspended, a replica behind. An operation counts as not
 * received only after an approved void (attempts), or after the same request under the same key (payouts and
 * modifications), whose response decides. An operation that the provider has reported on before is neither voided nor
 * resent.
 */
async function handleNotFound(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  const { status, receivedByProviderAt, overdueSeconds } = transaction;
  const isTooEarly = overdueSeconds === null || overdueSeconds < notReceivedAfterSeconds;
  const after = await applyOutcome(both, { kind: 'unknown', why: 'not found' }, now);
  if (isTooEarly || status === 'sent') return after;
  if (status !== 'unknown' || receivedByProviderAt !== null) {
    if (overdueSeconds >= notFoundSeconds) await listNotFound(after, now);
    return after;
  }
  if (isAttempt(transaction) && transaction.kind !== 'credit') return cancelAtProvider(after, notReceived.reason, now);
  return resendRequest(after, now);
}

/** After this time an operation that the provider has reported on and no longer finds becomes an unresolved item. */
const notFoundSeconds = 30 * 60;

/** Lists an operation that the provider does not find, also again after it was found in between. */
async function listNotFound(both: PaymentWithTransaction, now: Date, reason?: string): Promise<void> {
  const listed = (await itemsOf(both.transaction)).find(({ kind }) => kind === 'not_found');
  await createUnresolved(both, 'not_found', now, { reason, reopens: listed?.closedAt });
}

/** Sends the same request under the same key: the provider executes it now, or repeats its first response. */
async function resendRequest(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const mid = await findMidOf(both.transaction, true);
  if (!mid) throw new Error(`MID ${both.transaction.midId} is gone`);
  const isPayout = both.transaction.kind === 'credit';
  const payload = isPayout ? await rebuildPayload(both) : null;
  if (isPayout && !payload) {
    await listNotFound(both, now, cannotResendReason);
    return both;
  }
  const resent = await markResent(both, firstPollAt(mid, now), timeoutSecondsOf(mid));
  if (!resent) return both;
  const outcome = payload ? await callProvider(resent, mid, payload) : await resendModification(resent, mid);
  // A technical rejection proves nothing about the first request, which may still arrive.
  if (outcome.kind !== 'declined' || outcome.decline.class !== 'technical')
    return resolveAttempt(resent, outcome, payload, now);
  const after = await resolveAttempt(resent, { kind: 'unknown', why: outcome.decline.code }, payload, now);
  if (!outcome.decline.soft) await listNotFound(after, now, rejectedReason);
  return after;
}

const rejectedReason = 'The provider does not know the operation and refuses to carry it out';

const cannotResendReason = 'The provider does not know the payout, and its card is not kept to send it again';

/** The reason of an attempt that the payer left for another method or the shop. */
export const payerLeftReason = 'The payer left before confirming';

/**
 * Cancels the attempt of a payer who leaves a challenge or a redirect. The provider is called first, so that the
 * attempt cannot settle later; if it has settled meanwhile, that outcome is applied.
 */
export async function cancelAttempt(payment: Payment, now: Date): Promise<Payment> {
  const both = payment.inFlightId ? await findPaymentWithTransaction(payment.inFlightId) : null;
  if (!both || !isWithPayer(both.transaction)) return payment;
  return (await cancelAtProvider(both, payerLeftReason, now)).payment;
}

/** Whether the attempt waits for the payer: a challenge, a redirect or instructions on the page. */
function isWithPayer({ status, providerData }: Transaction): boolean {
  return status === 'challenge' || status === 'redirect' || (status === 'waiting' && !!providerData.present);
}

/** Cancels an attempt at the provider. Only an approved void declines it; otherwise the provider's status applies. */
export async function cancelAtProvider(
  initial: PaymentWithTransaction,
  reason: string,
  now: Date,
): Promise<PaymentWithTransaction> {
  const both = await beginCancellation(initial, reason, now);
  const { transaction } = both;
  if (!isNotFinal(transaction) || transaction.cancelReason === null) return both;
  const outcome = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'cancel'));
  if (outcome.kind === 'approved')
    return resolveAttempt(
      both,
      { kind: 'declined', decline: cancellationDecline(transaction), facts: {} },
      null,
      now,
      true,
    );
  // The outcome of the void is unknown, and the attempt's status may change with it.
  if (outcome.kind !== 'declined') return applyOutcome(both, { kind: 'unknown', why: outcome.kind }, now, true);
  const reported = await lookUpOutcome(transaction);
  const after = await applyOutcome(
    both,
    reported.kind === 'absent' ? { kind: 'unknown', why: 'not found' } : reported,
    now,
    true,
  );
  if (!isNotFinal(after.transaction)) return after;
  const rejected = { ...after.transaction, rejectedCancels: transaction.rejectedCancels + 1 };
  await countRejectedCancels([{ ...transaction, keepReason: true, dueAt: nextPollAt(rejected, now) }]);
  await createUnresolved(after, 'not_cancelled', now);
  return { ...after, transaction: rejected };
}

function cancellationDecline({ cancelReason }: Transaction) {
  if (cancelReason === notReceived.reason) return notReceived;
  return { code: 'not_confirmed', reason: cancelReason ?? '', class: 'unconfirmed', soft: true } as const;
}

/** Marks the attempt as being cancelled; returns it unchanged where it is marked already or has become final. */
async function beginCancellation(
  initial: PaymentWithTransaction,
  reason: string,
  now: Date,
): Promise<PaymentWithTransaction> {
  let both = initial;
  for (let round = 0; round < 8; round += 1) {
    if (!isNotFinal(both.transaction) || both.transaction.cancelReason !== null) return both;
    await markCancelling(both, reason, now);
    both = await getPaymentWithTransaction(initial.transaction.id);
  }
  throw new Error(`the cancellation of transaction ${initial.transaction.id} could not be stored`);
}

/**
 * Processes a due transaction: polls one that is not final, and voids an authorisation that has expired. No effect on one
 * that got a later due time after it was claimed until `leasedUntil`, such as an attempt that was authorised meanwhile.
 */
export async function processDueTransaction(transactionId: string, now: Date, leasedUntil: Date): Promise<void> {
  const both = await findLookedUp(transactionId);
  if (!both?.transaction.dueAt || both.transaction.dueAt > leasedUntil) return;
  const { transaction } = both;
  if (!isNotFinal(transaction)) return expireAuthorisation(both, now);
  const synced = await syncTransaction(both, now);
  const timeoutSeconds = payerTimeoutSeconds(synced.transaction);
  // A failover may have begun another attempt, whose payer has the whole time.
  if (timeoutSeconds !== undefined && secondsSince(synced.transaction.createdAt, now) >= timeoutSeconds) {
    await cancelAtProvider(synced, 'The payer did not confirm in time', now);
  }
}

/** The time limit of the payer; undefined where money may arrive at any time, as by bank transfer or cryptocurrency. */
function payerTimeoutSeconds({ status, providerData, cancelReason }: Transaction): number | undefined {
  // This round has already tried to cancel it.
  if (cancelReason !== null) return undefined;
  if (status === 'challenge') return challengeSeconds;
  if (status === 'redirect') return redirectSeconds;
  switch (status === 'waiting' ? providerData.present?.kind : undefined) {
    case 'qr':
    case 'app':
      return redirectSeconds;
    case 'confirm':
    case 'code':
      return challengeSeconds;
    case 'message':
      return messageSeconds;
    default:
      return undefined;
  }
}

const expiryDecline = { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false } as const;

const minBackoffSeconds = 20;
const maxBackoffSeconds = 6 * 3600;

/** The delay doubles with every retry, up to six hours. */
const nextRetryAt = (retries: number, now: Date) =>
  new Date(now.getTime() + Math.min(minBackoffSeconds * 2 ** Math.min(retries, 20), maxBackoffSeconds) * 1000);

/** Expires the authorisation of a due row. A row that is not an authorised payment any more is no longer due. */
export async function expireAuthorisation(initial: PaymentWithTransaction, now: Date): Promise<void> {
  if (initial.payment.state !== 'pending' || initial.transaction.status !== 'success') {
    await recheckItems(initial.transaction.id, now);
    return void (await reschedulePolls([{ ...initial.transaction, dueAt: null }]));
  }
  const both = await beginExpiry(initial, now);
  if (!both) return;
  const { transaction } = both;
  const voidOutcome = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'lapse'));
  if (voidOutcome.kind === 'approved') return writeExpiry(both, now);
  if (voidOutcome.kind !== 'declined')
    return void (await reschedulePolls([{ ...transaction, dueAt: nextRetryAt(transaction.polls, now) }]));
  const reported = await lookUpOutcome(transaction);
  if (reported.kind === 'declined') return writeExpiry(both, now);
  // The authorisation can be captured until the next retry.
  const dueAt = nextRetryAt(transaction.rejectedCancels + 5, now);
  await countRejectedCancels([{ ...transaction, keepReason: false, dueAt }]);
  if (reported.kind === 'approved') await compareLateOutcome(transaction, reported, now);
  else if (reported.kind !== 'unknown') await createUnresolved(both, 'not_released', now);
}

async function writeExpiry({ payment, transaction }: PaymentWithTransaction, now: Date): Promise<void> {
  const report = { type: 'sale', outcome: 'fail' } as const;
  const callback = await newCallback(payment);
  await commitTransition(
    { payment, transaction, event: 'expire', status: 'success', report, decline: expiryDecline, dueAt: null, callback },
    now,
  );
  await recheckItems(transaction.id, now);
}

/** Null where another operation is in progress: the row is processed again later, or when its lease ends. */
async function beginExpiry(initial: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction | null> {
  const { payment, transaction } = initial;
  if (transaction.cancelReason !== null) return initial;
  if (payment.inFlightId) await reschedulePolls([{ ...transaction, dueAt: nextRetryAt(transaction.polls, now) }]);
  if (payment.inFlightId || !(await markCancelling(initial, expiryDecline.reason, now))) return null;
  return findPaymentWithTransaction(transaction.id);
}

/**
 * Sends a reply to the provider and applies its response. Null when the payment does not expect such a reply: the
 * attempt is final, or its presentation takes no code or cannot be renewed.
 */
export async function submitPayerReply(
  payment: Payment,
  reply: PayerReply,
  now: Date,
): Promise<PaymentWithTransaction | null> {
  const both = payment.inFlightId ? await findPaymentWithTransaction(payment.inFlightId) : null;
  if (!both || !isNotFinal(both.transaction) || !acceptsReply(both.transaction, reply)) return null;
  const { connector, target } = await findProvider(both.transaction);
  const outcome = await connector.proceed(target, { key: replyKey(both, reply), original: both.transaction.id, reply });
  return applyOutcome(both, outcome, now);
}

function acceptsReply({ providerData: { present } }: Transaction, reply: PayerReply): boolean {
  return 'code' in reply ? present?.kind === 'code' : present?.kind === 'qr' && present.renewable === true;
}

/** Repeated requests for a new code share a key; every submitted one-time code has its own. */
function replyKey({ payment, transaction }: PaymentWithTransaction, reply: PayerReply): string {
  return 'code' in reply ? newId() : v5(`renew-${payment.version}`, transaction.id);
}
