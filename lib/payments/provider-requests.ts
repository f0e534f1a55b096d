/** Requests to the provider of an existing transaction: look-up, void and refund. */
import { v5 } from 'uuid';
import { findConnector, type ModificationRequest, type Outcome } from '../connectors/index.ts';
import type { Transaction } from '../core/payment.ts';
import { now } from '../db/clock.ts';
import { rowStep } from '../db/index.ts';
import { findMidOf, type Mid } from '../merchants/index.ts';
import { timeoutSecondsOf } from './attempt/provider-call.ts';

/** A transaction's connector and target. `exact`: with the original credentials, which alone can report an absence. */
export async function findProvider(transaction: Transaction, exact = false) {
  const mid = await findMidOf(transaction, exact);
  const connector = mid && findConnector(mid.connector);
  if (!mid || !connector) throw new Error(`MID ${transaction.midId} has no connector`);
  return { connector, mid, target: { settings: mid.settings } };
}

/** Requests the status of a transaction from its provider. */
export async function lookUpOutcome(transaction: Transaction): Promise<Outcome> {
  const current = await findProvider(transaction);
  const outcome = await current.connector.status(current.target, transaction.id);
  if (outcome.kind !== 'absent' || isSentWith(current, transaction)) return outcome;
  // Credentials that were changed since may belong to another account, which does not have the operation.
  const { connector, target } = await findProvider(transaction, true);
  return connector.status(target, transaction.id);
}

/** Voids or refunds at the account that got the attempt. Repeats under one key are one operation. */
export async function voidOrRefund(
  transaction: Transaction,
  operation: 'void' | 'refund',
  key: string,
  amount?: ModificationRequest['amount'],
): Promise<Outcome> {
  const sentTo = await findProvider(transaction, true);
  const deadline = await extendLease(transaction, timeoutSecondsOf(sentTo.mid));
  const request = { key, operation, original: transaction.id, amount, deadline };
  const outcome = unknownIfUnavailable(await sentTo.connector.modify(sentTo.target, request));
  // A repeat gets the first response; the look-up returns the present outcome.
  if (outcome.kind === 'waiting') return sentTo.connector.status(sentTo.target, key);
  if (outcome.kind !== 'declined' || outcome.decline.class !== 'technical') return outcome;
  // The provider rejects rotated credentials before it executes anything.
  const current = await findProvider(transaction);
  if (isSentWith(current, transaction)) return outcome;
  // The new credentials may belong to another account, which approves the void of an operation that it does not have.
  const known = await current.connector.status(current.target, transaction.id);
  if (known.kind === 'absent') return outcome;
  if (known.kind === 'unknown') return known;
  return unknownIfUnavailable(await current.connector.modify(current.target, request));
}

// A provider that is unreachable or overloaded may be carrying out an earlier request under the same key.
function unknownIfUnavailable(outcome: Outcome): Outcome {
  const isUnavailable = outcome.kind === 'declined' && outcome.decline.class === 'technical' && outcome.decline.soft;
  return isUnavailable ? { kind: 'unknown', why: outcome.decline.code } : outcome;
}

const extendDueTime = rowStep(
  'transactions-extend-lease',
  'until timestamptz',
  (from) => `update transactions t set due_at = greatest(t.due_at, i.until + interval '15 seconds')
     from ${from} where t.id = i.id and t.due_at is not null returning t.id`,
);

/** Extends the lease of the row until the call ends; returns the call's deadline. */
async function extendLease({ id }: Transaction, seconds: number): Promise<Date> {
  const until = new Date(now().getTime() + seconds * 1000);
  await extendDueTime([{ id, until }]);
  return until;
}

const isSentWith = ({ mid }: { mid: Mid }, { settingsVersion }: Transaction) => mid.settingsVersion === settingsVersion;

/** The idempotency key of a cancellation. A rejected cancellation is final, so that the next one has another key. */
export function cancelKey({ id, rejectedCancels }: Transaction, name: 'cancel' | 'lapse'): string {
  return v5(rejectedCancels === 0 ? name : `${name}-${rejectedCancels}`, id);
}
