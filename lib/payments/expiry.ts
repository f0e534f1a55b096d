/**
 * Authorisation expiry: what nobody captured in time is voided at the provider and declined. It is written down first, so that
 * no capture takes what is about to be released; a capture under way is let finish. Only an approved void is a release.
 */

import type { Payment, Transaction } from '../core/payment';
import { callbackOf } from './attempt/outcome';
import { ask, cancelKey, undo } from './provider';
import { findBoth } from './queries';
import { advance, postpone, recordCancelling, refuseCancel } from './transitions';
import { closeAgreed, openUnresolved } from './unresolved';

type Both = { payment: Payment; transaction: Transaction };

const expired = { code: 'hold_expired', reason: 'Authorization expired', class: 'bank', soft: false } as const;

const shortestSeconds = 20;
const longestSeconds = 6 * 3600;

/** Doubles with every try, up to six hours. */
const backOff = (tries: number, now: Date) =>
  new Date(now.getTime() + Math.min(shortestSeconds * 2 ** Math.min(tries, 20), longestSeconds) * 1000);

/** Expires the authorisation behind a due row; a row that is none is not due any more. */
export async function expireAuthorisation(seen: Both, now: Date): Promise<void> {
  if (seen.payment.state !== 'pending' || seen.transaction.status !== 'success') {
    await closeAgreed(seen.transaction.id, now);
    return postpone(seen.transaction, null);
  }
  const both = await announce(seen, now);
  if (!both) return;
  const { transaction } = both;
  const released = await undo(transaction, 'void', cancelKey(transaction, 'lapse'));
  if (released.kind === 'approved') return expire(both, now);
  if (released.kind !== 'declined') return postpone(transaction, backOff(transaction.polls, now));
  const said = await ask(transaction);
  if (said.kind === 'declined') return expire(both, now);
  const { amountMinor: minor, currency } = transaction;
  if (said.kind === 'approved')
    await openUnresolved(both, 'captured_elsewhere', said.amount ?? { minor, currency }, now);
  else if (said.kind !== 'unknown') await openUnresolved(both, 'not_released', { minor, currency }, now);
  // It can be captured again until the next try.
  await refuseCancel(transaction, { keepReason: false }, backOff(transaction.cancels + 5, now));
}

async function expire({ payment, transaction }: Both, now: Date): Promise<void> {
  const report = { type: 'sale', outcome: 'fail' } as const;
  const callback = await callbackOf(payment);
  await advance(
    { payment, transaction, event: 'expire', status: 'success', report, decline: expired, dueAt: null, callback },
    now,
  );
  await closeAgreed(transaction.id, now);
}

/** Null where something else is under way: the authorisation is looked at again when its lease is over. */
async function announce(seen: Both, now: Date): Promise<Both | null> {
  if (seen.transaction.cancelReason !== null) return seen;
  if (seen.payment.inFlightId || !(await recordCancelling(seen, expired.reason, now))) return null;
  return findBoth(seen.transaction.id);
}
