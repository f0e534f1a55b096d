/** The provider of a transaction that was sent before: where it is asked, and what it is told to undo. */
import { v5 } from 'uuid';
import type { ModificationRequest, Outcome } from '../connectors';
import { findConnector } from '../connectors';
import type { Transaction } from '../core/payment';
import { query } from '../db';
import { now } from '../db/clock';
import { findMidOf, type Mid } from '../merchants';
import { timeoutSecondsOf } from './attempt/provider-call';

/**
 * The connector that a transaction went through, and where to. `exact` insists on the credentials that it was sent with: only
 * the account that got the request can say that it did not.
 */
export async function findProvider(transaction: Transaction, exact = false) {
  const mid = await findMidOf(transaction, exact);
  const connector = mid && findConnector(mid.connector);
  if (!mid || !connector) throw new Error(`MID ${transaction.midId} has no connector`);
  return { connector, mid, target: { settings: mid.settings } };
}

/** What the provider says about a transaction. */
export async function lookUpOutcome(transaction: Transaction): Promise<Outcome> {
  const present = await findProvider(transaction);
  const said = await present.connector.status(present.target, transaction.id);
  if (said.kind !== 'absent' || isSentWith(present, transaction)) return said;
  // Other credentials at the same address may be another account, which knows nothing of the operation.
  const { connector, target } = await findProvider(transaction, true);
  return connector.status(target, transaction.id);
}

/** Voids or refunds at the account that got the attempt. The same key is one operation, however often it is sent. */
export async function voidOrRefund(
  transaction: Transaction,
  operation: 'void' | 'refund',
  key: string,
  amount?: ModificationRequest['amount'],
): Promise<Outcome> {
  const first = await findProvider(transaction, true);
  const deadline = await extendLease(transaction, timeoutSecondsOf(first.mid));
  const request = { key, operation, original: transaction.id, amount, deadline };
  const said = await first.connector.modify(first.target, request);
  // A repeat gets the first answer, and the look-up what has come of it since.
  if (said.kind === 'waiting') return first.connector.status(first.target, key);
  if (said.kind !== 'declined' || said.decline.class !== 'technical') return said;
  // Credentials that were rotated since are refused before anything is done.
  const present = await findProvider(transaction);
  return isSentWith(present, transaction) ? said : present.connector.modify(present.target, request);
}

/**
 * Keeps other processes off the row until the call is over, and gives the call's deadline.
 */
async function extendLease({ id }: Transaction, seconds: number): Promise<Date> {
  const until = new Date(now().getTime() + seconds * 1000);
  await query(
    'transaction-extend-lease',
    `update transactions set due_at = greatest(due_at, $2::timestamptz + interval '15 seconds')
      where id = $1 and due_at is not null`,
    [id, until],
  );
  return until;
}

const isSentWith = ({ mid }: { mid: Mid }, { settingsVersion }: Transaction) => mid.settingsVersion === settingsVersion;

/** The key of a cancellation. One that was refused is over: the next one has a key of its own. */
export function cancelKey({ id, rejectedCancels }: Transaction, name: 'cancel' | 'lapse'): string {
  return v5(rejectedCancels === 0 ? name : `${name}-${rejectedCancels}`, id);
}
