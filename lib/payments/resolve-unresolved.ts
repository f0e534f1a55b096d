/**
 * Resolves unresolved items automatically: money that the provider took without a matching payment is voided, else
 * refunded, else the item waits for a manual decision. The MID's setting defines the first step.
 */
import { v5 } from 'uuid';
import type { Outcome } from '../connectors/index.ts';
import { isNotFinal, type PaymentWithTransaction } from '../core/payment.ts';
import { statement } from '../db/index.ts';
import { newConcurrencyLimiter, roundMilliseconds } from '../jobs/index.ts';
import { log } from '../telemetry/index.ts';
import { applyOutcome } from './attempt/outcome.ts';
import { lookUpOutcome, voidOrRefund } from './provider-requests.ts';
import { cancelAtProvider } from './provider-sync.ts';
import { findPaymentWithTransaction, getPaymentWithTransaction } from './queries.ts';
import {
  closeAgreedItems,
  closeUnresolved,
  compareFinalOutcome,
  isEndReported,
  refundedResolution,
  toUnresolved,
  type Unresolved,
  type UnresolvedAction,
  type UnresolvedRow,
  unresolvedColumns,
} from './unresolved.ts';

/** Longer than the calls of one item: a cancellation, a look-up and a refund. */
const leaseSeconds = 150;
const batch = 20;
/** Concurrent items of one process, limited per merchant so that one slow provider does not delay the others. */
const limiter = newConcurrencyLimiter('an unresolved item', 200, { merchant: batch });

const claimDue = statement<{ now: Date; limit: number; busyMerchants: string[] }, UnresolvedRow>(
  'unresolved-due',
  `update unresolved u set due_at = :now::timestamptz + interval '${leaseSeconds} seconds', polls = u.polls + 1
    where u.id in (select id from unresolved where due_at <= :now::timestamptz and merchant_id <> all(:busyMerchants::uuid[])
                    order by due_at limit :limit::int for update skip locked)
   returning ${unresolvedColumns}`,
);

/** Claims and resolves due items; returns how many. Work over `waitMilliseconds` continues in the background. */
export function resolveDueItems(now: Date, waitMilliseconds = roundMilliseconds): Promise<number> {
  const process = (item: Unresolved) =>
    resolveItem(item, now).catch((err) => log.error({ err, unresolved: item.id }, 'an item was not resolved'));
  return limiter.claim(
    batch,
    async (limit) => (await claimDue({ now, limit, busyMerchants: limiter.busy('merchant') })).map(toUnresolved),
    (item) => ({ keys: { merchant: item.merchantId }, run: () => process(item) }),
    waitMilliseconds,
  );
}

async function resolveItem(item: Unresolved, now: Date): Promise<void> {
  const both = await getPaymentWithTransaction(item.transactionId);
  if (item.action === 'void') return resolveByVoid(item, both, now);
  if (item.action === 'refund') return resolveByRefund(item, both, now);
}

async function resolveByVoid(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  // An attempt that is not final is cancelled first, so that no later outcome settles it.
  if (isNotFinal(both.transaction)) {
    const { transaction } = await cancelAtProvider(both, item.reason, now);
    if (transaction.status === 'success') return closeAgreedItems(transaction.id, now);
    if (!isNotFinal(transaction)) return closeItem(item, { ...both, transaction }, 'Voided at the provider', now);
    return transaction.rejectedCancels > both.transaction.rejectedCancels
      ? escalate(item, 'refund', now)
      : rescheduleItem(item, now);
  }
  const outcome = await voidOrRefund(both.transaction, 'void', v5('unresolved-void', both.transaction.id));
  if (outcome.kind === 'approved') return closeItem(item, both, 'Voided at the provider', now);
  return isRejected(outcome) ? escalate(item, 'refund', now) : rescheduleItem(item, now);
}

/** Whether the provider has rejected the operation, rather than been unreachable or overloaded. */
function isRejected(outcome: Outcome): boolean {
  return outcome.kind === 'declined' && !(outcome.decline.class === 'technical' && outcome.decline.soft);
}

async function resolveByRefund(item: Unresolved, both: PaymentWithTransaction, now: Date): Promise<void> {
  const { transaction } = both;
  const outcome = await voidOrRefund(transaction, 'refund', v5('unresolved-refund', transaction.id), item.amount);
  if (isRejected(outcome)) {
    if (isNotFinal(transaction)) return escalate(item, 'task', now);
    // Nothing can be refunded where the attempt has been undone at the provider since: the look-up closes the item.
    const current = await lookUpOutcome(transaction);
    if (current.kind === 'unknown' || current.kind === 'absent') return rescheduleItem(item, now);
    return (await compareFinalOutcome(both, current, now)) ? escalate(item, 'task', now) : rescheduleItem(item, now);
  }
  if (outcome.kind !== 'approved') return rescheduleItem(item, now);
  const decline = { code: item.kind, reason: item.reason, class: 'technical', soft: false } as const;
  const after = isNotFinal(transaction)
    ? await applyOutcome(both, { kind: 'declined', decline, facts: {} }, now, true)
    : both;
  return closeItem(item, after, refundedResolution, now);
}

// An attempt that is declined here has its own callback. A late success of a payment that was paid by another attempt
// is not reported to the merchant.
async function closeItem(item: Unresolved, before: PaymentWithTransaction, done: string, now: Date): Promise<void> {
  const both = (await findPaymentWithTransaction(item.transactionId)) ?? before;
  const isLate = item.kind === 'late_success';
  const reported = isLate && (await isEndReported(both));
  const resolution = isLate && !reported ? `${done}, beside the payment` : done;
  await closeUnresolved(both, item, { by: 'florin', resolution, reported }, now);
  if (!isLate) await closeAgreedItems(both.transaction.id, now);
}

const reschedule = statement<{ id: string; action: UnresolvedAction; dueAt: Date | null }>(
  'unresolved-reschedule',
  'update unresolved set action = :action::"LateSuccess", due_at = :dueAt::timestamptz where id = :id and closed_at is null',
);

async function escalate({ id }: Unresolved, action: UnresolvedAction, now: Date): Promise<void> {
  await reschedule({ id, action, dueAt: action === 'task' ? null : now });
}

async function rescheduleItem({ id, action, polls }: Unresolved, now: Date): Promise<void> {
  const seconds = Math.min(5 * 2 ** Math.min(polls, 10), 3600);
  await reschedule({ id, action, dueAt: new Date(now.getTime() + seconds * 1000) });
}

/** A manual decision: close the item as it is, or set the outcome of an operation that is not final. */
export type ManualResolution = 'closed' | 'approved' | 'declined';

/**
 * Closes an item by a manual decision. An operation that is not final becomes approved or declined first. False where
 * the item is closed already or the decision does not apply.
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
