/**
 * Books the chargebacks that a provider reports with an attempt: one or several, in whole or in part, open or won. Each
 * is a transaction whose id is derived from the provider's id, so that a repeated report books it once.
 */
import { v5 } from 'uuid';
import { isNotFinal, type Payment, type PaymentWithTransaction, type Transaction } from '../core/payment.ts';
import type { Chargeback } from '../core/provider-data.ts';
import { type Event, nextState } from '../core/states.ts';
import { waitBeforeRetry } from '../db/index.ts';
import { insertAttempt } from './attempt/insert.ts';
import {
  findPayment,
  findPaymentWithTransaction,
  findUndone,
  getPaymentWithTransaction,
  transactionsOf,
} from './queries.ts';
import { commitTransition, newCallback, type Transition } from './transitions.ts';
import { createUnresolved, unresolvedOf } from './unresolved.ts';

/** Limit of retries where other changes of the payment come first. */
const maxRounds = 100;

/** Books every chargeback that the provider reports for an attempt, and reverses those that were won. */
export async function bookChargebacks(attemptId: string, chargebacks: readonly Chargeback[], now: Date): Promise<void> {
  for (const chargeback of chargebacks) await retryUntilWritten(() => bookChargeback(attemptId, chargeback, now));
}

async function retryUntilWritten(write: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    if (await write()) return;
    await waitBeforeRetry(round);
  }
  throw new Error('a chargeback could not be stored');
}

/** True once the chargeback is booked as reported; false where the payment has changed meanwhile. */
async function bookChargeback(attemptId: string, chargeback: Chargeback, now: Date): Promise<boolean> {
  const both = await getPaymentWithTransaction(attemptId);
  const booked = await findPaymentWithTransaction(chargebackId(attemptId, chargeback));
  if (!booked) return insertChargeback(both, chargeback, now);
  if (isNotFinal(booked.transaction)) return confirmChargeback(booked, chargeback, now);
  const isWon = booked.transaction.providerData.extended?.chargeback_status === 'won';
  if (chargeback.status === 'won' && !isWon) return applyDisputeWon(booked, now);
  // The process that booked it may have ended before it had compared the sums.
  await flagDoubleReturn(booked, now);
  const { amountMinor, currency } = booked.transaction;
  const isSame = chargeback.amount.minor === amountMinor && chargeback.amount.currency === currency;
  // A dispute that changed, or was reopened after it was won, needs a manual decision, and each further change another.
  if (!isSame || (isWon && chargeback.status !== 'won')) {
    const { amount, status } = chargeback;
    const subject = `${amount.minor} ${amount.currency} ${status}`;
    await createUnresolved(booked, 'chargeback_mismatch', now, { amount, subject });
  }
  return true;
}

// `chargeback` keeps the ids of the first edition, which booked one chargeback for an attempt.
const chargebackId = (attemptId: string, { id }: Chargeback) =>
  v5(id === 'chargeback' ? id : `chargeback ${id}`, attemptId);

/** Inserts the chargeback as not final; the next round confirms it. An implausible one becomes an unresolved item. */
async function insertChargeback(both: PaymentWithTransaction, chargeback: Chargeback, now: Date): Promise<boolean> {
  const { payment, transaction } = both;
  const { amount } = chargeback;
  const maxMinor = payment.settledMinor - payment.chargedBackMinor;
  const fits = amount.currency === payment.currency && amount.minor > 0n && amount.minor <= maxMinor;
  // The money of a failed attempt was never the payment's, which a later attempt may have settled.
  const isPaymentMoney = transaction.status === 'success' && nextState(payment.state, 'chargeback') !== null;
  if (!fits || !isPaymentMoney) {
    await createUnresolved(both, 'chargeback_mismatch', now, { amount, subject: chargeback.id });
    return true;
  }
  const inserted: Transaction = {
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
  await insertAttempt({ payment, transaction: inserted, event: null, exclusive: false }, now);
  return false;
}

async function confirmChargeback(pending: PaymentWithTransaction, chargeback: Chargeback, now: Date): Promise<boolean> {
  const { transaction } = pending;
  const { date, bankDate, reasonCode } = chargeback;
  const details = { chargeback_date: date, bank_date: bankDate, reason_code: reasonCode, chargeback_status: 'open' };
  const extended = Object.fromEntries(Object.entries(details).filter((entry): entry is [string, string] => !!entry[1]));
  const booked = await commitTransition(
    {
      ...(await chargebackTransition(pending, 'chargeback', 'success')),
      providerData: { extended },
      chargedBackMinor: transaction.amountMinor,
    },
    now,
  );
  if (!booked) return false;
  await flagDoubleReturn({ payment: booked, transaction }, now);
  // A dispute that is already won in its first report is booked and then reversed.
  return chargeback.status !== 'won';
}

/** Reverses a chargeback that the merchant won: the amount may be refunded again. */
async function applyDisputeWon(booked: PaymentWithTransaction, now: Date): Promise<boolean> {
  const { payment, transaction } = booked;
  // Chargebacks that were booked before amounts were checked counted at most the payment's own amount.
  const isLast = payment.chargedBackMinor <= transaction.amountMinor;
  const extended = { ...transaction.providerData.extended, chargeback_status: 'won' };
  const updated = await commitTransition(
    {
      ...(await chargebackTransition(booked, isLast ? await eventAfterWin(payment) : null, 'fail')),
      providerData: { extended },
      chargedBackMinor: isLast ? -payment.chargedBackMinor : -transaction.amountMinor,
      reason: 'The dispute was won',
    },
    now,
  );
  return updated !== null;
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

/** The event that returns the payment to its state without the dispute. */
async function eventAfterWin(payment: Payment): Promise<Event> {
  const done = (await transactionsOf(payment.id)).filter(({ status }) => status === 'success');
  if (done.some(({ kind }) => kind === 'void')) return 'winVoided';
  if (done.some(({ kind }) => kind === 'reversal')) return 'winReversed';
  return payment.refundedMinor === payment.settledMinor ? 'winRefunded' : 'win';
}

/** Creates an item where the payer got money back twice: by a refund, void or reversal, and by a chargeback. */
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
  const listed = (await unresolvedOf(id)).some(
    ({ kind, amount }) => kind === 'returned_twice' && amount.minor >= excess,
  );
  if (listed) return;
  const amount = { minor: excess, currency: payment.currency };
  await createUnresolved({ payment, transaction }, 'returned_twice', now, { amount });
}
