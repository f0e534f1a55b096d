/**
 * Syncs a payment's status with its provider now, as the poll does, and reports the result as a sentence. An error
 * message claims nothing about the outcome: the provider may have answered, and the answer may be stored.
 */

import { merchantOf } from '../../auth/index.ts';
import { isAttempt, isNotFinal, type Payment, type Transaction } from '../../core/payment.ts';
import { findMid } from '../../merchants/index.ts';
import { findPayment, handleProviderNotification, pollTransaction, transactionsOf } from '../../payments/index.ts';
import { log } from '../../telemetry/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { kindNames, stateLabel } from '../labels.ts';
import { paymentPage, subjectOf } from './payment.ts';

/** Asks for the transaction in flight, or for the latest attempt. Null if the payment is not found. */
export async function syncWithProvider(request: DashboardRequest) {
  const { viewer, now, params } = request;
  const payment = await findPayment(params.id ?? '', merchantOf(viewer) ?? undefined);
  if (!payment) return null;
  const transactions = await transactionsOf(payment.id);
  const open = transactions.findLast(isNotFinal);
  const requested = open ?? transactions.findLast(isAttempt);
  if (!requested) throw refusal('No provider knows this payment: there was no attempt.');
  const provider = (await findMid(requested.midId))?.name ?? 'The provider';
  await logAction(request, 'payment.ask', subjectOf(payment.id), { after: { transaction: requested.id, provider } });
  await pollProvider(requested, open !== undefined, provider, now);
  const [page, seen, matches] = await Promise.all([
    paymentPage(request),
    findPayment(payment.id),
    transactionsOf(payment.id),
  ]);
  if (!page || !seen) return null;
  const answered = matches.find((each) => each.id === requested.id) ?? requested;
  return { page, said: resultText(provider, payment, seen, requested, answered) };
}

async function pollProvider(transaction: Transaction, isUnderWay: boolean, provider: string, now: Date): Promise<void> {
  try {
    if (isUnderWay) await pollTransaction(transaction.id, now);
    else await handleProviderNotification(transaction.id, now);
  } catch (thrown) {
    log.warn({ err: thrown, transaction: transaction.id }, 'status request to provider failed');
    throw new DashboardError(
      502,
      `The request to ${provider} failed. The timeline shows what is known. Try again later.`,
    );
  }
}

function resultText(
  provider: string,
  before: Payment,
  after: Payment,
  transaction: Transaction,
  answered: Transaction,
): string {
  const what = kindNames[transaction.kind].toLowerCase();
  if (after.state !== before.state) {
    return `${provider} reports: ${stateLabel(before.state)} is now ${stateLabel(after.state)}.`;
  }
  if (transaction.status === answered.status) {
    if (!isNotFinal(answered)) return `${provider} reports no change: the status of the ${what} here is up to date.`;
    if (answered.status === 'unknown')
      return `${provider} does not know the outcome of the ${what} yet. Florin keeps polling.`;
    return `${provider} is still processing the ${what}.`;
  }
  const outcome = { success: 'approved', fail: answered.declineReason ?? 'declined' } as Record<string, string>;
  return `${provider} reports about the ${what}: ${outcome[answered.status] ?? 'still processing'}.`;
}
