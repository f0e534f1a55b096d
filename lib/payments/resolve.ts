/**
 * What is done by itself about an unresolved item: the money that the provider took and the payment does not account for is
 * voided, else refunded, else the item waits for a person. The setting of the MID says where this begins.
 */
import { v5 } from 'uuid';
import type { Outcome } from '../connectors/connector';
import { isOpen, type Payment, type Transaction } from '../core/payment';
import { query } from '../db/db';
import { newShares, roundMilliseconds } from '../jobs/shares';
import { log } from '../telemetry/log';
import { settle } from './attempt/outcome';
import { undo } from './provider';
import { findBoth } from './queries';
import { cancel } from './sync';
import {
  type Action,
  closeAgreed,
  closeUnresolved,
  decidesAlone,
  postponeUnresolved,
  toUnresolved,
  type Unresolved,
  unresolvedColumns,
} from './unresolved';

type Both = { payment: Payment; transaction: Transaction };

/** Longer than the calls of one round take: a cancellation, a look-up and a refund. */
const leaseSeconds = 150;
const batch = 20;
/** What one process works on at a time: a merchant whose provider hangs keeps nobody else's items back. */
const shares = newShares('an unresolved item', 200, { merchant: batch });

/**
 * Works on the items that are due; returns how many there were. What takes longer than `patience` milliseconds goes on in the
 * background.
 */
export async function resolveDue(now: Date, patience = roundMilliseconds): Promise<number> {
  const limit = Math.min(batch, shares.free());
  if (limit === 0) return 0;
  const rows = await query<{ [column: string]: unknown }>(
    'unresolved-due',
    `update unresolved u set due_at = $1::timestamptz + interval '${leaseSeconds} seconds', polls = u.polls + 1
      where u.id in (select id from unresolved where due_at <= $1::timestamptz and merchant_id <> all($2::uuid[])
                      order by due_at limit $3::int for update skip locked)
     returning ${unresolvedColumns}`,
    [now, shares.busy('merchant'), limit],
  );
  const pieces = rows.map(toUnresolved).map((item) => ({
    keys: { merchant: item.merchantId },
    run: () => resolve(item, now).catch((err) => log.error({ err, unresolved: item.id }, 'an item was not resolved')),
  }));
  await shares.start(pieces, patience);
  return rows.length;
}

async function resolve(item: Unresolved, now: Date): Promise<void> {
  const both = await findBoth(item.transactionId);
  if (!both) throw new Error(`transaction ${item.transactionId} is gone`);
  if (item.action === 'void') return byVoid(item, both, now);
  if (item.action === 'refund') return byRefund(item, both, now);
}

async function byVoid(item: Unresolved, both: Both, now: Date): Promise<void> {
  // An attempt whose outcome is open is cancelled as any other, so that no later answer settles it meanwhile.
  if (isOpen(both.transaction)) {
    const { transaction } = await cancel(both, item.reason, now);
    if (transaction.status === 'success') return closeAgreed(transaction.id, now);
    if (!isOpen(transaction)) return close(item, { ...both, transaction }, 'Voided at the provider', now);
    return transaction.cancels > both.transaction.cancels ? next(item, 'refund', now) : again(item, now);
  }
  const said = await undo(both.transaction, 'void', v5('unresolved-void', both.transaction.id));
  if (said.kind === 'approved') return close(item, both, 'Voided at the provider', now);
  return isRefused(said) ? next(item, 'refund', now) : again(item, now);
}

/** Whether the provider has refused, rather than been out of reach or too busy. */
function isRefused(said: Outcome): boolean {
  return said.kind === 'declined' && !(said.decline.class === 'technical' && said.decline.soft);
}

async function byRefund(item: Unresolved, both: Both, now: Date): Promise<void> {
  const { transaction } = both;
  const said = await undo(transaction, 'refund', v5('unresolved-refund', transaction.id), item.amount);
  if (isRefused(said)) return next(item, 'task', now);
  if (said.kind !== 'approved') return again(item, now);
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  const after = isOpen(transaction) ? await settle(both, { kind: 'declined', decline, facts: {} }, now, true) : both;
  return close(item, after, 'Refunded at the provider', now);
}

// The callback of an attempt that was declined just now tells the end already. A late success beside a payment that was paid
// otherwise is the operator's matter alone.
async function close(item: Unresolved, before: Both, done: string, now: Date): Promise<void> {
  const both = (await findBoth(item.transactionId)) ?? before;
  const isLate = item.kind === 'late_success';
  const reported = isLate && decidesAlone(both);
  const resolution = isLate && !reported ? `${done}, beside the payment` : done;
  await closeUnresolved(both, item, { by: 'florin', resolution, reported }, now);
  if (!isLate) await closeAgreed(both.transaction.id, now);
}

async function next({ id }: Unresolved, action: Action, now: Date): Promise<void> {
  await postponeUnresolved(id, action, action === 'task' ? null : now);
}

async function again({ id, action, polls }: Unresolved, now: Date): Promise<void> {
  const seconds = Math.min(5 * 2 ** Math.min(polls, 10), 3600);
  await postponeUnresolved(id, action, new Date(now.getTime() + seconds * 1000));
}

/** How a person closes an item: as it is, or deciding about an operation whose outcome is open. */
export type Decision = 'closed' | 'approved' | 'declined';

/**
 * Closes an item by a person's decision. An operation without an outcome is written down as approved or declined first; false
 * where the item is closed already or the decision does not fit.
 */
export async function decide(
  item: Unresolved,
  decision: Decision,
  { by, note }: { by: string; note: string },
  now: Date,
): Promise<boolean> {
  const both = await findBoth(item.transactionId);
  if (!both || item.closedAt !== null) return false;
  if (isOpen(both.transaction) !== (decision !== 'closed')) return false;
  const { amountMinor: minor, currency } = both.transaction;
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  if (decision === 'approved') {
    await settle(both, { kind: 'approved', amount: { minor, currency }, facts: {} }, now, true);
  } else if (decision === 'declined') {
    await settle(both, { kind: 'declined', decline, facts: {} }, now, true);
  }
  const fresh = (await findBoth(item.transactionId)) ?? both;
  const isClosed = await closeUnresolved(fresh, item, { by, resolution: note, reported: false }, now);
  if (decision !== 'closed') await closeAgreed(item.transactionId, now);
  return isClosed;
}
