/**
 * Asking the provider about a transaction: when the payer comes back, when a notification comes, when a row is due. All three
 * end in the same place, and any of them may come twice, late or out of order.
 */
import type { Outcome } from '../connectors';
import { isAttempt, isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment';
import { query } from '../db';
import { findMidOf } from '../merchants';
import { allowsFailover, notReceived, rebuildPayload, resolveAttempt } from './attempt/failover';
import {
  applyOutcome,
  challengeSeconds,
  messageSeconds,
  nextPollAt,
  redirectSeconds,
  secondsSince,
} from './attempt/outcome';
import { callProvider, firstPollAt, timeoutSecondsOf } from './attempt/provider-call';
import { bookChargebacks, flagDoubleReturn } from './chargebacks';
import { expireAuthorisation } from './expiry';
import { resendModification } from './modifications';
import { cancelKey, lookUpOutcome, voidOrRefund } from './provider';
import { findPaymentWithTransaction, lastTransactionOfAttempt } from './queries';
import { markCancelling, markCancelRejected, markResent, notReceivedAfterSeconds } from './transitions';
import { closeAgreedItems, compareFinalOutcome, createUnresolved } from './unresolved';

/** Asks about one open transaction and writes down what the provider says. Null for an unknown id. */
export async function pollTransaction(transactionId: string, now: Date): Promise<PaymentWithTransaction | null> {
  const both = await findPaymentWithTransaction(transactionId);
  if (!both || !isNotFinal(both.transaction)) return both;
  return syncTransaction(both, now);
}

/**
 * The payer has come back from the provider's page, which shows that the provider has received the attempt. A declined one is
 * asked about too: the provider may have settled it all the same.
 */
export async function handlePayerReturn(transactionId: string, now: Date): Promise<void> {
  await query(
    'transaction-received',
    'update transactions set heard_at = $2::timestamptz where id = $1::uuid and heard_at is null',
    [transactionId, now],
  );
  const both = await findPaymentWithTransaction(transactionId);
  if (both && both.transaction.status !== 'success') await syncTransaction(both, now);
}

/**
 * Asks about any transaction and writes down what the provider says: an open one gets its outcome, a final one is compared
 * with it. False where the provider gave no answer, so that it has to be asked again.
 */
export async function handleProviderNotification(transactionId: string, now: Date): Promise<boolean> {
  const both = await findPaymentWithTransaction(transactionId);
  if (!both) return true;
  const said = await lookUpOutcome(both.transaction);
  const { isCompared } = await applyLookup(both, said, now);
  return isCompared && said.kind !== 'unknown' && said.kind !== 'absent';
}

/** Asks and applies; an open transaction that is being cancelled is cancelled, which a process that died has left. */
async function syncTransaction(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  const { cancelReason } = transaction;
  if (!isNotFinal(transaction) || cancelReason === null)
    return (await applyLookup(both, await lookUpOutcome(transaction), now)).after;
  const after = await cancelAtProvider(both, cancelReason, now);
  if (!isNotFinal(after.transaction)) await closeAgreedItems(transaction.id, now);
  return after;
}

/**
 * Writes down what a look-up says about a transaction in whatever state: its outcome, its chargebacks, a difference.
 * `isCompared` is false where a difference could not be told yet.
 */
async function applyLookup(
  both: PaymentWithTransaction,
  said: Outcome,
  now: Date,
): Promise<{ after: PaymentWithTransaction; isCompared: boolean }> {
  const { transaction } = both;
  const after = isNotFinal(transaction) ? await applyLookupToNotFinal(both, said, now) : both;
  const isCompared = isNotFinal(transaction) || (await compareFinalOutcome(both, said, now));
  const hasEnded = isNotFinal(transaction) && !isNotFinal(after.transaction);
  if (hasEnded && transaction.status !== 'sent') await closeAgreedItems(transaction.id, now);
  if (hasEnded && !isAttempt(transaction)) await flagDoubleReturn(after, now);
  if ('facts' in said && said.facts.chargebacks) {
    // Their ids belong to the attempt, also where an answer about a refund lists them.
    const { id, paymentId, attemptId } = transaction;
    const attempt = attemptId && !isAttempt(transaction) ? await lastTransactionOfAttempt(paymentId, attemptId) : null;
    await bookChargebacks(attempt?.id ?? id, said.facts.chargebacks, now);
  }
  return { after, isCompared };
}

async function applyLookupToNotFinal(
  both: PaymentWithTransaction,
  said: Outcome,
  now: Date,
): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  if (transaction.cancelReason !== null) return cancelAtProvider(both, transaction.cancelReason, now);
  if (said.kind === 'absent') return handleNotFound(both, now);
  return isLeftToRunningCall(transaction, said) ? both : resolveAttempt(both, said, null, now);
}

// The process whose call is still under way has the security code, with which alone a fail-over is as good as the attempt.
function isLeftToRunningCall({ status, method, overdueSeconds }: Transaction, said: Outcome): boolean {
  const isUnderWay = status === 'sent' && overdueSeconds !== null && overdueSeconds < 0;
  return isUnderWay && method === 'card' && said.kind === 'declined' && allowsFailover(said.decline);
}

/**
 * "Not found" is unknown: a request can be late, a process can sleep, a replica can lag. An operation counts as never received
 * only once it is fenced: an attempt by an approved void, anything else by the same request under the same key, whose answer
 * decides. One about which the provider has said anything before is not fenced at all.
 */
async function handleNotFound(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const { transaction } = both;
  const { status, receivedByProviderAt, overdueSeconds, amountMinor: minor, currency } = transaction;
  const waits = overdueSeconds === null || overdueSeconds < notReceivedAfterSeconds;
  const after = await applyOutcome(both, { kind: 'unknown', why: 'not found' }, now);
  if (waits || status === 'sent') return after;
  if (status !== 'unknown' || receivedByProviderAt !== null) {
    const isLong = overdueSeconds >= notFoundSeconds;
    if (isLong) await createUnresolved(after, 'not_found', { minor, currency }, now);
    return after;
  }
  if (isAttempt(transaction) && transaction.kind !== 'credit') return cancelAtProvider(after, notReceived.reason, now);
  return resendRequest(after, now);
}

/** A provider that has lost track of an operation for so long is not about to find it again. */
const notFoundSeconds = 30 * 60;

/** The same request under the same key: the provider carries it out now, or repeats its first answer. */
async function resendRequest(both: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction> {
  const { payment } = both;
  const mid = await findMidOf(both.transaction, true);
  if (!mid) throw new Error(`MID ${both.transaction.midId} is gone`);
  const isPayout = both.transaction.kind === 'credit';
  const order = isPayout ? await rebuildPayload(both) : null;
  if (isPayout && !order) {
    const { amountMinor: minor, currency } = both.transaction;
    await createUnresolved(both, 'not_found', { minor, currency }, now, { reason: cannotResendReason });
    return both;
  }
  const transaction = await markResent(both.transaction, firstPollAt(mid, now), timeoutSecondsOf(mid));
  if (!transaction) return both;
  const again = { payment, transaction };
  const outcome = order ? await callProvider(again, mid, order) : await resendModification(again, mid);
  // A request that is refused before anything is done fences nothing: the first one may still arrive.
  if (outcome.kind !== 'declined' || outcome.decline.class !== 'technical')
    return resolveAttempt(again, outcome, order, now);
  const after = await resolveAttempt(again, { kind: 'unknown', why: outcome.decline.code }, order, now);
  const { amountMinor: minor, currency } = transaction;
  if (!outcome.decline.soft)
    await createUnresolved(after, 'not_found', { minor, currency }, now, { reason: rejectedReason });
  return after;
}

const rejectedReason = 'The provider does not know the operation and refuses to carry it out';

const cannotResendReason = 'The provider does not know the payout, and its card is not kept to send it again';

/**
 * The payer leaves a challenge or a redirect. The attempt is cancelled at the provider first, so that it can never
 * settle behind the payer's back; if it has settled meanwhile, that is what is written down.
 */
export async function cancelAttempt(payment: Payment, now: Date): Promise<Payment> {
  const both = payment.inFlightId ? await findPaymentWithTransaction(payment.inFlightId) : null;
  if (!both || !isWithPayer(both.transaction)) return payment;
  return (await cancelAtProvider(both, 'The payer left before confirming', now)).payment;
}

/** Whether it is the payer's turn: at their bank, or shown what to do. */
function isWithPayer({ status, providerData }: Transaction): boolean {
  return status === 'challenge' || status === 'redirect' || (status === 'waiting' && !!providerData.present);
}

/** Cancels an attempt at the provider. It is declined on an approved void only; else it is what the provider says of it. */
export async function cancelAtProvider(
  seen: PaymentWithTransaction,
  reason: string,
  now: Date,
): Promise<PaymentWithTransaction> {
  const both = await beginCancellation(seen, reason, now);
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
  // Whether it is cancelled is not known: what the provider says of the attempt may change with it.
  if (outcome.kind !== 'declined') return applyOutcome(both, { kind: 'unknown', why: outcome.kind }, now, true);
  const said = await lookUpOutcome(transaction);
  const after = await applyOutcome(
    both,
    said.kind === 'absent' ? { kind: 'unknown', why: 'not found' } : said,
    now,
    true,
  );
  if (!isNotFinal(after.transaction)) return after;
  const { amountMinor: minor, currency } = transaction;
  const refused = { ...after.transaction, rejectedCancels: transaction.rejectedCancels + 1 };
  await markCancelRejected(transaction, { keepReason: true }, nextPollAt(refused, now));
  await createUnresolved(after, 'not_cancelled', { minor, currency }, now);
  return { ...after, transaction: refused };
}

function cancellationDecline({ cancelReason }: Transaction) {
  if (cancelReason === notReceived.reason) return notReceived;
  return { code: 'not_confirmed', reason: cancelReason ?? '', class: 'unconfirmed', soft: true } as const;
}

/** Writes down that the attempt is being cancelled, unless it is; as it was found where it is final meanwhile. */
async function beginCancellation(
  seen: PaymentWithTransaction,
  reason: string,
  now: Date,
): Promise<PaymentWithTransaction> {
  let both = seen;
  for (let round = 0; round < 8; round += 1) {
    if (!isNotFinal(both.transaction) || both.transaction.cancelReason !== null) return both;
    await markCancelling(both, reason, now);
    const fresh = await findPaymentWithTransaction(seen.transaction.id);
    if (!fresh) throw new Error(`transaction ${seen.transaction.id} is gone`);
    both = fresh;
  }
  throw new Error(`the cancellation of transaction ${seen.transaction.id} could not be written down`);
}

/** Works on a transaction that is due: asks about an open one, and voids an authorisation that has expired. */
export async function processDueTransaction(transactionId: string, now: Date): Promise<void> {
  const both = await findPaymentWithTransaction(transactionId);
  if (!both) return;
  const { transaction } = both;
  if (!isNotFinal(transaction)) return expireAuthorisation(both, now);
  const seen = await syncTransaction(both, now);
  const patience = payerTimeoutSeconds(seen.transaction);
  if (patience !== undefined && secondsSince(transaction.createdAt, now) >= patience) {
    await cancelAtProvider(seen, 'The payer did not confirm in time', now);
  }
}

/** How long the payer may take; undefined where money may arrive at any later time, as a transfer or a coin does. */
function payerTimeoutSeconds({ status, providerData, cancelReason }: Transaction): number | undefined {
  // It has been cancelled once already in this round.
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
