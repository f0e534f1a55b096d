/**
 * Asking the provider about a transaction: when the payer comes back, when a notification comes, when a row is due. All three
 * end in the same place, and any of them may come twice, late or out of order.
 */
import type { Outcome } from '../connectors/connector';
import { isAttempt, isOpen, type Payment, type Transaction } from '../core/payment';
import { query } from '../db/db';
import { findMidOf } from '../merchants/merchants';
import { conclude, isWorthAnother, notReceived, orderOf } from './attempt/failover';
import { challengeSeconds, messageSeconds, nextAsk, redirectSeconds, secondsSince, settle } from './attempt/outcome';
import { askAfter, callProvider, secondsOf } from './attempt/provider-call';
import { bookChargebacks, flagReturnedTwice } from './chargebacks';
import { expireAuthorisation } from './expiry';
import { resend } from './modifications';
import { ask, cancelKey, undo } from './provider';
import { findBoth, lastCallOf } from './queries';
import { fencedAfterSeconds, recordCancelling, recordResend, refuseCancel } from './transitions';
import { closeAgreed, compareFinal, openUnresolved } from './unresolved';

type Both = { payment: Payment; transaction: Transaction };

/** Asks about one open transaction and writes down what the provider says. Null for an unknown id. */
export async function resume(transactionId: string, now: Date): Promise<Both | null> {
  const both = await findBoth(transactionId);
  if (!both || !isOpen(both.transaction)) return both;
  return learn(both, now);
}

/**
 * The payer has come back from the provider's page, which shows that the provider has received the attempt. A declined one is
 * asked about too: the provider may have settled it all the same.
 */
export async function returnedFrom(transactionId: string, now: Date): Promise<void> {
  await query(
    'transaction-heard',
    'update transactions set heard_at = $2::timestamptz where id = $1::uuid and heard_at is null',
    [transactionId, now],
  );
  const both = await findBoth(transactionId);
  if (both && both.transaction.status !== 'success') await learn(both, now);
}

/**
 * Asks about any transaction and writes down what the provider says: an open one gets its outcome, a final one is compared
 * with it. False where the provider gave no answer, so that it has to be asked again.
 */
export async function notified(transactionId: string, now: Date): Promise<boolean> {
  const both = await findBoth(transactionId);
  if (!both) return true;
  const said = await ask(both.transaction);
  const { isCompared } = await applyOutcome(both, said, now);
  return isCompared && said.kind !== 'unknown' && said.kind !== 'absent';
}

/** Asks and applies; an open transaction that is being cancelled is cancelled, which a process that died has left. */
async function learn(both: Both, now: Date): Promise<Both> {
  const { transaction } = both;
  const { cancelReason } = transaction;
  if (!isOpen(transaction) || cancelReason === null)
    return (await applyOutcome(both, await ask(transaction), now)).after;
  const after = await cancel(both, cancelReason, now);
  if (!isOpen(after.transaction)) await closeAgreed(transaction.id, now);
  return after;
}

/**
 * Writes down what a look-up says about a transaction in whatever state: its outcome, its chargebacks, a difference.
 * `isCompared` is false where a difference could not be told yet.
 */
async function applyOutcome(both: Both, said: Outcome, now: Date): Promise<{ after: Both; isCompared: boolean }> {
  const { transaction } = both;
  const after = isOpen(transaction) ? await applyOpen(both, said, now) : both;
  const isCompared = isOpen(transaction) || (await compareFinal(both, said, now));
  const hasEnded = isOpen(transaction) && !isOpen(after.transaction);
  if (hasEnded && transaction.status !== 'sent') await closeAgreed(transaction.id, now);
  if (hasEnded && !isAttempt(transaction)) await flagReturnedTwice(after, now);
  if ('facts' in said && said.facts.chargebacks) {
    // Their ids belong to the attempt, also where an answer about a refund lists them.
    const { id, paymentId, attemptId } = transaction;
    const attempt = attemptId && !isAttempt(transaction) ? await lastCallOf(paymentId, attemptId) : null;
    await bookChargebacks(attempt?.id ?? id, said.facts.chargebacks, now);
  }
  return { after, isCompared };
}

async function applyOpen(both: Both, said: Outcome, now: Date): Promise<Both> {
  const { transaction } = both;
  if (transaction.cancelReason !== null) return cancel(both, transaction.cancelReason, now);
  if (said.kind === 'absent') return notFound(both, now);
  return isLeftToCaller(transaction, said) ? both : conclude(both, said, null, now);
}

// The process whose call is still under way has the security code, with which alone a fail-over is as good as the attempt.
function isLeftToCaller({ status, method, overdueSeconds }: Transaction, said: Outcome): boolean {
  const isUnderWay = status === 'sent' && overdueSeconds !== null && overdueSeconds < 0;
  return isUnderWay && method === 'card' && said.kind === 'declined' && isWorthAnother(said.decline);
}

/**
 * "Not found" is unknown: a request can be late, a process can sleep, a replica can lag. An operation counts as never received
 * only once it is fenced: an attempt by an approved void, anything else by the same request under the same key, whose answer
 * decides. One about which the provider has said anything before is not fenced at all.
 */
async function notFound(both: Both, now: Date): Promise<Both> {
  const { transaction } = both;
  const { status, heardAt, overdueSeconds, amountMinor: minor, currency } = transaction;
  const waits = overdueSeconds === null || overdueSeconds < fencedAfterSeconds;
  const after = await settle(both, { kind: 'unknown', why: 'not found' }, now);
  if (waits || status === 'sent') return after;
  if (status !== 'unknown' || heardAt !== null) {
    const isLong = overdueSeconds >= notFoundSeconds;
    if (isLong) await openUnresolved(after, 'not_found', { minor, currency }, now);
    return after;
  }
  if (isAttempt(transaction) && transaction.kind !== 'credit') return cancel(after, notReceived.reason, now);
  return sendAgain(after, now);
}

/** A provider that has lost track of an operation for so long is not about to find it again. */
const notFoundSeconds = 30 * 60;

/** The same request under the same key: the provider carries it out now, or repeats its first answer. */
async function sendAgain(both: Both, now: Date): Promise<Both> {
  const { payment } = both;
  const mid = await findMidOf(both.transaction, true);
  if (!mid) throw new Error(`MID ${both.transaction.midId} is gone`);
  const isPayout = both.transaction.kind === 'credit';
  const order = isPayout ? await orderOf(both) : null;
  if (isPayout && !order) {
    const { amountMinor: minor, currency } = both.transaction;
    await openUnresolved(both, 'not_found', { minor, currency }, now, { reason: cannotRepeat });
    return both;
  }
  const transaction = await recordResend(both.transaction, askAfter(mid, now), secondsOf(mid));
  if (!transaction) return both;
  const again = { payment, transaction };
  const outcome = order ? await callProvider(again, mid, order) : await resend(again, mid);
  // A request that is refused before anything is done fences nothing: the first one may still arrive.
  if (outcome.kind !== 'declined' || outcome.decline.class !== 'technical') return conclude(again, outcome, order, now);
  const after = await conclude(again, { kind: 'unknown', why: outcome.decline.code }, order, now);
  const { amountMinor: minor, currency } = transaction;
  if (!outcome.decline.soft) await openUnresolved(after, 'not_found', { minor, currency }, now, { reason: isRefused });
  return after;
}

const isRefused = 'The provider does not know the operation and refuses to carry it out';

const cannotRepeat = 'The provider does not know the payout, and its card is not kept to send it again';

/**
 * The payer leaves a challenge or a redirect. The attempt is cancelled at the provider first, so that it can never
 * settle behind the payer's back; if it has settled meanwhile, that is what is written down.
 */
export async function abandon(payment: Payment, now: Date): Promise<Payment> {
  const both = payment.inFlightId ? await findBoth(payment.inFlightId) : null;
  if (!both || !isWithPayer(both.transaction)) return payment;
  return (await cancel(both, 'The payer left before confirming', now)).payment;
}

/** Whether it is the payer's turn: at their bank, or shown what to do. */
function isWithPayer({ status, facts }: Transaction): boolean {
  return status === 'challenge' || status === 'redirect' || (status === 'waiting' && !!facts.present);
}

/** Cancels an attempt at the provider. It is declined on an approved void only; else it is what the provider says of it. */
export async function cancel(seen: Both, reason: string, now: Date): Promise<Both> {
  const both = await announceCancel(seen, reason, now);
  const { transaction } = both;
  if (!isOpen(transaction) || transaction.cancelReason === null) return both;
  const outcome = await undo(transaction, 'void', cancelKey(transaction, 'cancel'));
  if (outcome.kind === 'approved')
    return conclude(both, { kind: 'declined', decline: declineOf(transaction), facts: {} }, null, now, true);
  // Whether it is cancelled is not known: what the provider says of the attempt may change with it.
  if (outcome.kind !== 'declined') return settle(both, { kind: 'unknown', why: outcome.kind }, now, true);
  const said = await ask(transaction);
  const after = await settle(both, said.kind === 'absent' ? { kind: 'unknown', why: 'not found' } : said, now, true);
  if (!isOpen(after.transaction)) return after;
  const { amountMinor: minor, currency } = transaction;
  const refused = { ...after.transaction, cancels: transaction.cancels + 1 };
  await refuseCancel(transaction, { keepReason: true }, nextAsk(refused, now));
  await openUnresolved(after, 'not_cancelled', { minor, currency }, now);
  return { ...after, transaction: refused };
}

function declineOf({ cancelReason }: Transaction) {
  if (cancelReason === notReceived.reason) return notReceived;
  return { code: 'not_confirmed', reason: cancelReason ?? '', class: 'unconfirmed', soft: true } as const;
}

/** Writes down that the attempt is being cancelled, unless it is; as it was found where it is final meanwhile. */
async function announceCancel(seen: Both, reason: string, now: Date): Promise<Both> {
  let both = seen;
  for (let round = 0; round < 8; round += 1) {
    if (!isOpen(both.transaction) || both.transaction.cancelReason !== null) return both;
    await recordCancelling(both, reason, now);
    const fresh = await findBoth(seen.transaction.id);
    if (!fresh) throw new Error(`transaction ${seen.transaction.id} is gone`);
    both = fresh;
  }
  throw new Error(`the cancellation of transaction ${seen.transaction.id} could not be written down`);
}

/** Works on a transaction that is due: asks about an open one, and voids an authorisation that has expired. */
export async function takeUp(transactionId: string, now: Date): Promise<void> {
  const both = await findBoth(transactionId);
  if (!both) return;
  const { transaction } = both;
  if (!isOpen(transaction)) return expireAuthorisation(both, now);
  const seen = await learn(both, now);
  const patience = patienceOf(seen.transaction);
  if (patience !== undefined && secondsSince(transaction.createdAt, now) >= patience) {
    await cancel(seen, 'The payer did not confirm in time', now);
  }
}

/** How long the payer may take; undefined where money may arrive at any later time, as a transfer or a coin does. */
function patienceOf({ status, facts, cancelReason }: Transaction): number | undefined {
  // It has been cancelled once already in this round.
  if (cancelReason !== null) return undefined;
  if (status === 'challenge') return challengeSeconds;
  if (status === 'redirect') return redirectSeconds;
  switch (status === 'waiting' ? facts.present?.kind : undefined) {
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
