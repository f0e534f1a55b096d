/**
 * Chargebacks, as a provider reports them with a payment: several, in part, won back. Each is a transaction of its own under
 * an id that is made from the provider's, so that the same report books it once.
 */
import { v5 } from 'uuid';
import { isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment';
import type { Chargeback } from '../core/provider-data';
import { type Event, nextState } from '../core/states';
import { waitBeforeRetry } from '../db';
import { newCallback } from './attempt/outcome';
import { findPayment, findPaymentWithTransaction, findUndone, transactionsOf } from './queries';
import { commitTransition, insertAttempt, type Transition } from './transitions';
import { createUnresolved } from './unresolved';

/** How often a chargeback that meets other changes of its payment is decided again. */
const maxRounds = 100;

/** Books every chargeback that the provider reports for an attempt, and takes off those that were won. */
export async function bookChargebacks(attemptId: string, chargebacks: readonly Chargeback[], now: Date): Promise<void> {
  for (const chargeback of chargebacks) await retryUntilWritten(() => bookChargeback(attemptId, chargeback, now));
}

async function retryUntilWritten(write: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    if (await write()) return;
    await waitBeforeRetry(round);
  }
  throw new Error('a chargeback could not be written down');
}

/** True once the chargeback stands as it was reported; false where the payment has changed meanwhile. */
async function bookChargeback(attemptId: string, chargeback: Chargeback, now: Date): Promise<boolean> {
  const both = await findPaymentWithTransaction(attemptId);
  if (!both) throw new Error(`transaction ${attemptId} is gone`);
  const known = await findPaymentWithTransaction(chargebackId(attemptId, chargeback));
  if (!known) return insertChargeback(both, chargeback, now);
  if (isNotFinal(known.transaction)) return confirmChargeback(known, chargeback, now);
  const isWon = known.transaction.providerData.extended?.chargeback_status === 'won';
  if (chargeback.status === 'won' && !isWon) return applyDisputeWon(known, now);
  const { amountMinor, currency } = known.transaction;
  const isSame = chargeback.amount.minor === amountMinor && chargeback.amount.currency === currency;
  // A dispute that changed, or goes on after it was won, is a person's to decide about.
  if (!isSame || (isWon && chargeback.status !== 'won')) {
    await createUnresolved(known, 'chargeback_mismatch', chargeback.amount, now);
  }
  return true;
}

// The first edition booked one chargeback for an attempt, under this id.
const chargebackId = (attemptId: string, { id }: Chargeback) =>
  v5(id === 'chargeback' ? id : `chargeback ${id}`, attemptId);

/** Writes the chargeback down, open; the next round settles it. One that cannot be right becomes an unresolved item. */
async function insertChargeback(both: PaymentWithTransaction, chargeback: Chargeback, now: Date): Promise<boolean> {
  const { payment, transaction } = both;
  const { amount } = chargeback;
  const most = payment.settledMinor - payment.chargedBackMinor;
  const fits = amount.currency === payment.currency && amount.minor > 0n && amount.minor <= most;
  // What is charged back from an attempt that failed was never the payment's, which a later attempt may have settled.
  const isPayments = transaction.status === 'success' && nextState(payment.state, 'chargeback') !== null;
  if (!fits || !isPayments) {
    await createUnresolved(both, 'chargeback_mismatch', amount, now, { subject: chargeback.id });
    return true;
  }
  const taken: Transaction = {
    ...transaction,
    id: chargebackId(transaction.id, chargeback),
    kind: 'chargeback',
    status: 'sent',
    amountMinor: amount.minor,
    attemptId: transaction.attemptId ?? transaction.id,
    providerData: {},
    dueAt: null,
    responseDueAt: null,
    createdAt: now,
    finishedAt: null,
  };
  await insertAttempt({ payment, transaction: taken, event: null, exclusive: false }, now);
  return false;
}

async function confirmChargeback(known: PaymentWithTransaction, chargeback: Chargeback, now: Date): Promise<boolean> {
  const { transaction } = known;
  const { date, bankDate, reasonCode } = chargeback;
  const said = { chargeback_date: date, bank_date: bankDate, reason_code: reasonCode, chargeback_status: 'open' };
  const extended = Object.fromEntries(Object.entries(said).filter((entry): entry is [string, string] => !!entry[1]));
  const booked = await commitTransition(
    {
      ...(await chargebackTransition(known, 'chargeback', 'success')),
      providerData: { extended },
      chargedBackMinor: transaction.amountMinor,
    },
    now,
  );
  if (!booked) return false;
  await flagDoubleReturn({ payment: booked, transaction }, now);
  // A dispute whose first report says that it was won is booked and then taken off.
  return chargeback.status !== 'won';
}

/** The dispute was won: the amount is the merchant's again, and may be refunded. */
async function applyDisputeWon(known: PaymentWithTransaction, now: Date): Promise<boolean> {
  const { payment, transaction } = known;
  // Of what was booked before amounts were checked, no more than the payment had was counted.
  const isLast = payment.chargedBackMinor <= transaction.amountMinor;
  const extended = { ...transaction.providerData.extended, chargeback_status: 'won' };
  const written = await commitTransition(
    {
      ...(await chargebackTransition(known, isLast ? await eventAfterWin(payment) : null, 'fail')),
      providerData: { extended },
      chargedBackMinor: isLast ? -payment.chargedBackMinor : -transaction.amountMinor,
      reason: 'The dispute was won',
    },
    now,
  );
  return written !== null;
}

async function chargebackTransition(
  { payment, transaction }: PaymentWithTransaction,
  event: Event | null,
  outcome: 'success' | 'fail',
) {
  const callback = await newCallback(payment);
  const report = { type: 'chargeback', outcome } as const;
  return { payment, transaction, event, status: 'success', report, dueAt: null, callback } satisfies Transition;
}

/** What the payment is without the dispute. */
async function eventAfterWin(payment: Payment): Promise<Event> {
  const done = (await transactionsOf(payment.id)).filter(({ status }) => status === 'success');
  if (done.some(({ kind }) => kind === 'void')) return 'winVoided';
  if (done.some(({ kind }) => kind === 'reversal')) return 'winReversed';
  return payment.refundedMinor === payment.settledMinor ? 'winRefunded' : 'win';
}

/** Points out a payer who got money back twice: by a refund, void or reversal, and by their bank. */
export async function flagDoubleReturn(
  { payment: { id }, transaction }: PaymentWithTransaction,
  now: Date,
): Promise<void> {
  const payment = await findPayment(id);
  if (!payment || payment.chargedBackMinor === 0n) return;
  const undone = (await findUndone([id])).has(id);
  const returned = (undone ? payment.settledMinor : payment.refundedMinor) + payment.chargedBackMinor;
  const excess = returned - payment.settledMinor;
  if (excess <= 0n) return;
  await createUnresolved(
    { payment, transaction },
    'returned_twice',
    { minor: excess, currency: payment.currency },
    now,
  );
}
