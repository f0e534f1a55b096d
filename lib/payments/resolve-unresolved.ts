/**
 * What is done by itself about an unresolved item: the money that the provider took and the payment does not account for is
 * voided, else refunded, else the item waits for a person. The setting of the MID says where this begins.
 */
import { v5 } from 'uuid';
import type { Outcome } from '../connectors';
import { isNotFinal, type PaymentWithTransaction } from '../core/payment';
import { query } from '../db';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs';
import { log } from '../telemetry';
import { applyOutcome } from './attempt/outcome';
import { voidOrRefund } from './provider';
import { findPaymentWithTransaction } from './queries';
import { cancelAtProvider } from './sync';
import {
  closeAgreedItems,
  closeUnresolved,
  decidesPayment,
  rescheduleUnresolved,
  toUnresolved,
  type Unresolved,
  type UnresolvedAction,
  unresolvedColumns,
} from './unresolved';

/** Longer than the calls of one round take: a cancellation, a look-up and a refund. */
const leaseSeconds = 150;
const batch = 20;
/** What one process works on at a time: a merchant whose provider hangs keeps nobody else's items back. */
const limiter = newConcurrencyLimiter('an unresolved item', 200, { merchant: batch });

/**
 * Works on the items that are due; returns how many there were. What takes longer than `patience` milliseconds goes on in the
 * background.
 */
export async function resolveDueItems(now: Date, patience = roundMilliseconds): Promise<number> {
  const limit = Math.min(batch, limiter.free());
  if (limit === 0) return 0;
  const rows = await query<{ [column: string]: unknown }>(
    'unresolved-due',
    `update unresolved u set due_at = $1::timestamptz + interval '${leaseSeconds} seconds', polls = u.polls + 1
      where u.id in (select id from unresolved where due_at <= $1::timestamptz and merchant_id <> all($2::uuid[])
                      order by due_at limit $3::int for update skip locked)
     returning ${unresolvedColumns}`,
    [now, limiter.busy('merchant'), limit],
  );
  const pieces = rows.map(toUnresolved).map((item) => ({
    keys: { merchant: item.merchantId },
    run: () =>
      resolveItem(item, now).catch((err) => log.error({ err, unresolved: item.id }, 'an item was not resolved')),
  }));
  await limiter.start(pieces, patience);
  return rows.length;
}

async function resolveItem(item: Unresolved, now: Date): Promise<void> {
  const both = await findPaymentWithTransaction(item.transactionId);
  if (!both) throw new Error(`transaction ${item.transactionId} is gone`);
  if (item.action === 'void') return resolveByVoid(item, both, now);
  if (item.action === 'refund') return resolveByRefund(item, both, now);
}

async function resolveByVoid(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  // An attempt whose outcome is open is cancelled as any other, so that no later answer settles it meanwhile.
  if (isNotFinal(both.transaction)) {
    const { transaction } = await cancelAtProvider(both, item.reason, now);
    if (transaction.status === 'success') return closeAgreedItems(transaction.id, now);
    if (!isNotFinal(transaction)) return closeItem(item, { ...both, transaction }, 'Voided at the provider', now);
    return transaction.rejectedCancels > both.transaction.rejectedCancels
      ? escalate(item, 'refund', now)
      : rescheduleItem(item, now);
  }
  const said = await voidOrRefund(both.transaction, 'void', v5('unresolved-void', both.transaction.id));
  if (said.kind === 'approved') return closeItem(item, both, 'Voided at the provider', now);
  return isRejected(said) ? escalate(item, 'refund', now) : rescheduleItem(item, now);
}

/** Whether the provider has refused, rather than been out of reach or too busy. */
function isRejected(said: Outcome): boolean {
  return said.kind === 'declined' && !(said.decline.class === 'technical' && said.decline.soft);
}

async function resolveByRefund(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  const { transaction } = both;
  const said = await voidOrRefund(transaction, 'refund', v5('unresolved-refund', transaction.id), item.amount);
  if (isRejected(said)) return escalate(item, 'task', now);
  if (said.kind !== 'approved') return rescheduleItem(item, now);
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  const after = isNotFinal(transaction)
    ? await applyOutcome(both, { kind: 'declined', decline, facts: {} }, now, true)
    : both;
  return closeItem(item, after, 'Refunded at the provider', now);
}

// The callback of an attempt that was declined just now tells the end already. A late success beside a payment that was paid
// otherwise is the operator's matter alone.
async function closeItem(item: Unresolved, before: PaymentWithTransaction, done: string, now: Date): Promise<void> {
  const both = (await findPaymentWithTransaction(item.transactionId)) ?? before;
  const isLate = item.kind === 'late_success';
  const reported = isLate && decidesPayment(both);
  const resolution = isLate && !reported ? `${done}, beside the payment` : done;
  await closeUnresolved(both, item, { by: 'florin', resolution, reported }, now);
  if (!isLate) await closeAgreedItems(both.transaction.id, now);
}

async function escalate({ id }: Unresolved, action: UnresolvedAction, now: Date): Promise<void> {
  await rescheduleUnresolved(id, action, action === 'task' ? null : now);
}

async function rescheduleItem({ id, action, polls }: Unresolved, now: Date): Promise<void> {
  const seconds = Math.min(5 * 2 ** Math.min(polls, 10), 3600);
  await rescheduleUnresolved(id, action, new Date(now.getTime() + seconds * 1000));
}

/** How a person closes an item: as it is, or deciding about an operation whose outcome is open. */
export type ManualResolution = 'closed' | 'approved' | 'declined';

/**
 * Closes an item by a person's decision. An operation without an outcome is written down as approved or declined first; false
 * where the item is closed already or the decision does not fit.
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
  const { amountMinor: minor, currency } = both.transaction;
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  if (decision === 'approved') {
    await applyOutcome(both, { kind: 'approved', amount: { minor, currency }, facts: {} }, now, true);
  } else if (decision === 'declined') {
    await applyOutcome(both, { kind: 'declined', decline, facts: {} }, now, true);
  }
  const fresh = (await findPaymentWithTransaction(item.transactionId)) ?? both;
  const isClosed = await closeUnresolved(fresh, item, { by, resolution: note, reported: false }, now);
  if (decision !== 'closed') await closeAgreedItems(item.transactionId, now);
  return isClosed;
}
