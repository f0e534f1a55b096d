/**
 * Authorisation expiry: what nobody captured in time is voided at the provider and declined. It is written down first, so that
 * no capture takes what is about to be released; a capture under way is let finish. Only an approved void is a release.
 */

import type { PaymentWithTransaction } from '../core/payment';
import { newCallback } from './attempt/outcome';
import { cancelKey, lookUpOutcome, voidOrRefund } from './provider';
import { findPaymentWithTransaction } from './queries';
import { commitTransition, markCancelling, markCancelRejected, reschedulePoll } from './transitions';
import { closeAgreedItems, createUnresolved } from './unresolved';

const expiryDecline = { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false } as const;

const minBackoffSeconds = 20;
const maxBackoffSeconds = 6 * 3600;

/** Doubles with every try, up to six hours. */
const nextTryAt = (tries: number, now: Date) =>
  new Date(now.getTime() + Math.min(minBackoffSeconds * 2 ** Math.min(tries, 20), maxBackoffSeconds) * 1000);

/** Expires the authorisation behind a due row; a row that is none is not due any more. */
export async function expireAuthorisation(seen: PaymentWithTransaction, now: Date): Promise<void> {
  if (seen.payment.state !== 'pending' || seen.transaction.status !== 'success') {
    await closeAgreedItems(seen.transaction.id, now);
    return reschedulePoll(seen.transaction, null);
  }
  const both = await beginExpiry(seen, now);
  if (!both) return;
  const { transaction } = both;
  const released = await voidOrRefund(transaction, 'void', cancelKey(transaction, 'lapse'));
  if (released.kind === 'approved') return writeExpiry(both, now);
  if (released.kind !== 'declined') return reschedulePoll(transaction, nextTryAt(transaction.polls, now));
  const said = await lookUpOutcome(transaction);
  if (said.kind === 'declined') return writeExpiry(both, now);
  const { amountMinor: minor, currency } = transaction;
  if (said.kind === 'approved')
    await createUnresolved(both, 'captured_elsewhere', said.amount ?? { minor, currency }, now);
  else if (said.kind !== 'unknown') await createUnresolved(both, 'not_released', { minor, currency }, now);
  // It can be captured again until the next try.
  await markCancelRejected(transaction, { keepReason: false }, nextTryAt(transaction.rejectedCancels + 5, now));
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

/** Null where something else is under way: the authorisation is looked at again when its lease is over. */
async function beginExpiry(seen: PaymentWithTransaction, now: Date): Promise<PaymentWithTransaction | null> {
  if (seen.transaction.cancelReason !== null) return seen;
  if (seen.payment.inFlightId || !(await markCancelling(seen, expiryDecline.reason, now))) return null;
  return findPaymentWithTransaction(seen.transaction.id);
}
