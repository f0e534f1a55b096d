/**
 * Compares what a provider reports of a final transaction with its recorded outcome. A reported outcome is never changed
 * silently: every difference is an unresolved item.
 */
import type { Outcome } from '../connectors/index.ts';
import type { Money } from '../core/money.ts';
import { isAttempt, isRelease, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import { requestLookup } from './due-lookups.ts';
import { lookUpOutcome } from './provider-requests.ts';
import { findUndone, getPaymentWithTransaction } from './queries.ts';
import {
  createUnresolved,
  itemsOf,
  recheckItems,
  type Unresolved,
  type UnresolvedKind,
  updateAmount,
} from './unresolved.ts';

type FinalOutcome = Extract<Outcome, { kind: 'approved' | 'authorized' | 'declined' }>;

export const isFinalOutcome = (outcome: Outcome): outcome is FinalOutcome =>
  ['approved', 'authorized', 'declined'].includes(outcome.kind);

/** The resolution of an item whose money Florin has refunded: the provider reports the original as approved for ever. */
export const refundedResolution = 'Refunded at the provider';

/** Limit of comparisons where other processes change the items meanwhile. */
const maxRounds = 8;

/**
 * Creates an item for a difference from the provider's outcome. Open items of the transaction are compared again by the
 * job (resolve-unresolved.ts). False where the comparison has to be repeated: a void, a capture or an expiry in progress
 * may explain the difference, or a look-up gave no outcome.
 */
export async function compareFinalOutcome(transaction: Transaction, outcome: Outcome, now: Date): Promise<boolean> {
  for (let round = 0; round < maxRounds; round += 1) {
    const items = await itemsOf(transaction);
    const current = round === 0 ? outcome : await lookUpOutcome(transaction);
    // A replica that is behind reports a final transaction as open.
    if (!isFinalOutcome(current)) return false;
    // Read after the look-up: an operation that may explain its answer was recorded before it was sent.
    const both = await getPaymentWithTransaction(transaction.id);
    const kind = await findDifference(both, current, items);
    if (kind !== null && (await isBusy(both, current))) return false;
    const known = items.find((item) => item.kind === kind);
    if (kind !== null && known?.closedAt === null)
      await updateAmount(transaction.id, kind, newItem(transaction, current, kind).amount);
    const isOpen = items.some(({ closedAt }) => closedAt === null);
    if (kind === null || known?.closedAt === null) {
      if (!isOpen || (await recheckItems(transaction.id, now))) return true;
    } else if (known) {
      if (known.closedBy !== 'florin') return true;
      // Only an outcome that was requested after the end of the item opens it again.
      if (round > 0 && (await createUnresolved(both, kind, now, newItem(transaction, current, kind, known.closedAt))))
        return true;
    } else if (await createUnresolved(both, kind, now, newItem(transaction, current, kind))) {
      // The new item may replace the others.
      if (isOpen) await recheckItems(transaction.id, now);
      return true;
    }
  }
  return false;
}

/**
 * Compares an outcome that came after another process had committed one. A comparison that has to be repeated is repeated
 * by a look-up; an outcome that is not final says nothing of a final transaction.
 */
export async function compareLateOutcome(transaction: Transaction, outcome: Outcome, now: Date): Promise<void> {
  if (!isFinalOutcome(outcome) || (await compareFinalOutcome(transaction, outcome, now))) return;
  await requestLookup(transaction.id, now);
}

/**
 * Whether an operation in progress may explain a difference from an approved transaction. A capture or refund, which may
 * wait for a user's decision, does not explain a decline.
 */
export async function isBusy(
  { payment: { inFlightId }, transaction: { status, cancelReason } }: PaymentWithTransaction,
  { kind }: FinalOutcome,
): Promise<boolean> {
  if (status !== 'success') return false;
  if (cancelReason !== null) return true;
  if (inFlightId === null) return false;
  if (kind !== 'declined') return true;
  const inFlight = await getPaymentWithTransaction(inFlightId);
  return !['capture', 'refund'].includes(inFlight.transaction.kind);
}

function newItem(
  { amountMinor: minor, currency }: Transaction,
  outcome: FinalOutcome,
  kind: UnresolvedKind,
  reopens: Date | null = null,
) {
  const reported = (outcome.kind !== 'declined' && outcome.amount) || { minor, currency };
  return { amount: kind === 'overpaid' ? { minor: reported.minor - minor, currency } : reported, reopens };
}

/**
 * Lists a difference under its kind; false where a user has closed it. The outcome was requested after the items were
 * read: an item that the service has closed is opened again.
 */
export async function listDifference(
  both: PaymentWithTransaction,
  outcome: FinalOutcome,
  kind: UnresolvedKind,
  items: readonly Unresolved[],
  now: Date,
): Promise<boolean> {
  const known = items.find((item) => item.kind === kind);
  if (known?.closedAt === null) return true;
  if (known && known.closedBy !== 'florin') return false;
  await createUnresolved(both, kind, now, newItem(both.transaction, outcome, kind, known?.closedAt));
  return true;
}

/** How an outcome differs from a final transaction with these items; null where they agree. */
export async function findDifference(
  { payment, transaction }: PaymentWithTransaction,
  outcome: FinalOutcome,
  items: readonly Unresolved[],
): Promise<UnresolvedKind | null> {
  if (transaction.status === 'fail') {
    return outcome.kind === 'declined' || isRefunded(transaction, items, outcome.amount) ? null : 'late_success';
  }
  if (outcome.kind === 'declined') return (await isReturnedToPayer(payment, transaction)) ? null : 'taken_back';
  if (transaction.kind === 'authorize' && payment.state === 'pending' && outcome.kind === 'approved') {
    return 'captured_elsewhere';
  }
  const { amount } = outcome;
  if (!amount || isRelease(payment, transaction)) return null;
  if (amount.currency !== transaction.currency) return 'amount_mismatch';
  if (amount.minor === transaction.amountMinor) return null;
  return amount.minor > transaction.amountMinor && isAttempt(transaction) ? 'overpaid' : 'amount_mismatch';
}

// Whether Florin has refunded the reported amount of a declined attempt.
function isRefunded(transaction: Transaction, items: readonly Unresolved[], reported: Money | undefined): boolean {
  const { minor, currency } = reported ?? { minor: transaction.amountMinor, currency: transaction.currency };
  return items.some(
    ({ closedBy, resolution, amount }) =>
      closedBy === 'florin' &&
      resolution?.startsWith(refundedResolution) &&
      amount.currency === currency &&
      amount.minor >= minor,
  );
}

// Providers may report a voided, reversed or expired attempt as declined: its money was returned to the payer.
async function isReturnedToPayer(payment: Payment, transaction: Transaction): Promise<boolean> {
  if (payment.state === 'declined') return true;
  if (!isAttempt(transaction)) return false;
  return (await findUndone([payment.id])).has(payment.id);
}
