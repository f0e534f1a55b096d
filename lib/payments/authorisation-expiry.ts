/**
 * Authorisation expiry: voids an authorisation that was not captured in time and declines its payment. The cancellation
 * is stored first, so that no capture starts meanwhile; a capture in progress finishes. Only an approved void is a
 * release.
 */
import type { PaymentWithTransaction } from '../core/payment';
import { newCallback } from './attempt/outcome';
import { cancelKey, lookUpOutcome, voidOrRefund } from './provider-requests';
import { findPaymentWithTransaction } from './queries';
import { commitTransition, markCancelling, markCancelRejected, reschedulePoll } from './transitions';
import { closeAgreedItems, createUnresolved } from './unresolved';

const expiryDecline = { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false } as const;

const minBackoffSeconds = 20;
const maxBackoffSeconds = 6 * 3600;

/** The delay doubles with every retry, up to six hours. */
const nextRetryAt = (retries: number, now: Date) =>
  new Date(now.getTime() + Math.min(minBackoffSeconds * 2 ** Math.min(retries, 20), maxBackoffSeconds) * 1000);

/** Expires the authorisation of a due row. A row that is not an authorised payment any more is no longer due. */
export async function expireAuthorisation(initial: PaymentWithTransaction, now: Date): Promise<void> {
  if (initial.payment.state !== 'pending' || initial.transaction.status !== 'success') {
    await closeAgreedItems(initial.transaction.id, now);
    return reschedulePoll(initial.transaction, null);
  }
  const both = await beginExpiry(initial, now);
  if (!both) return;
  const { transaction } = both;
  const voidOutcome = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'lapse'));
  if (voidOutcome.kind === 'approved') return writeExpiry(both, now);
  if (voidOutcome.kind !== 'declined') return reschedulePoll(transaction, nextRetryAt(transaction.polls, now));
  const reported = await lookUpOutcome(transaction);
  if (reported.kind === 'declined') return writeExpiry(both, now);
  const { amountMinor: minor, currency } = transaction;
  if (reported.kind === 'approved')
    await createUnresolved(both, 'captured_elsewhere', reported.amount ?? { minor, currency }, now);
  else if (reported.kind !== 'unknown') await createUnresolved(both, 'not_released', { minor, currency }, now);
  // The authorisation can be captured until the next retry.
  await markCancelRejected(transaction, { keepReason: false }, nextRetryAt(transaction.rejectedCancels + 5, now));
}

async function writeExpiry({ payment, transaction }: PaymentWithTransaction, now: Date): Promise<void> {
  const report = { type: 'sale', outcome: 'fail' } as const;
  const callback = await newCallback(payment);
  await commitTransition(
    { payment, transaction, event: 'expire', status: 'success', report, decline: expiryDecline, dueAt: null, callback },
    now,
  );
  await closeAgreedItems(transaction.id, now);
}

/** Null where another operation is in progress: the row is processed again when its lease ends. */
async function beginExpiry(initial: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction | null> {
  if (initial.transaction.cancelReason !== null) return initial;
  if (initial.payment.inFlightId || !(await markCancelling(initial, expiryDecline.reason, now))) return null;
  return findPaymentWithTransaction(initial.transaction.id);
}
