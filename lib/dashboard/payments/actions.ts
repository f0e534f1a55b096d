/**
 * Executes a user's actions on a payment. Each is bound to the version of the payment that the user saw, is written to
 * the audit log first, and then runs like a request of the merchant's server.
 */
import { z } from 'zod';
import { type AuditAction, merchantOf } from '../../auth/index.ts';
import { findCallback, resendCallbacks } from '../../callbacks/index.ts';
import { ApiError, type ErrorKey } from '../../core/errors.ts';
import { formatAmount, parseAmount } from '../../core/money.ts';
import {
  isAttempt,
  isNotFinal,
  type Kind,
  type Payment,
  refundableMinor,
  type Transaction,
} from '../../core/payment.ts';
import { findMid } from '../../merchants/index.ts';
import {
  capture,
  findByIdempotencyKey,
  findPayment,
  handleProviderNotification,
  pollTransaction,
  refund,
  release,
  transactionsOf,
  voidPayment,
} from '../../payments/index.ts';
import { retryAfterForPayment } from '../../risk/index.ts';
import { log } from '../../telemetry/index.ts';
import { logAction } from '../changes.ts';
import { DashboardError, existing, invalid, parseBody, refusal, tooMany, versionField } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { kindNames, stateLabel } from '../labels.ts';
import { paymentPage, subjectOf } from './payment.ts';

const reasonMax = 200;
const changed = 'The payment was changed by someone else. Reload the page, review it and try again.';
const reused = 'This request was sent before with another amount. Reload the page, review it and try again.';

const versionForm = z.object({
  version: versionField,
  /** The idempotency key of the request. */
  key: z.string().min(1).max(100).optional(),
});
const moneyForm = versionForm.extend({
  amount: z.string().max(32).optional(),
  reason: z.string().trim().max(reasonMax, `Enter at most ${reasonMax} characters.`).optional(),
});

type Input = z.infer<typeof moneyForm>;
type Options = { key?: string | undefined; ifUnchanged: true };

type ActionPlan = { action: AuditAction; after: Record<string, string>; act: (options: Options) => Promise<unknown> };

/** An action that moves the whole amount that is possible, or the requested part of it. */
const moneyAction = (
  action: AuditAction,
  kinds: readonly Kind[],
  mostOf: (payment: Payment) => bigint,
  act: (payment: Payment, minor: bigint, now: Date, options: Options) => Promise<unknown>,
) =>
  paymentAction(moneyForm, kinds, (payment, { amount, reason }, now) => {
    const minor = amountOf(amount, payment, mostOf(payment));
    const { currency } = payment;
    return {
      action,
      after: { amount: formatAmount(minor, currency), currency, ...(reason && { reason }) },
      act: (options) => act(payment, minor, now, options),
    };
  });

/** Captures an authorisation, in whole or `amount`. */
export const captureAction = moneyAction('payment.capture', ['capture'], (payment) => payment.amountMinor, capture);

/** Refunds the remainder, or `amount` of it. */
export const refundAction = moneyAction('payment.refund', ['refund', 'reversal'], refundableMinor, refund);

/** Voids a payment of the same day, or releases an authorisation. */
export const voidAction = paymentAction(versionForm, ['void', 'reversal'], (payment, _input, now) => {
  const [action, act] =
    payment.state === 'pending' ? (['payment.release', release] as const) : (['payment.void', voidPayment] as const);
  return { action, after: {}, act: (options) => (act as typeof release)(payment, now, options) };
});

/** Resends a callback at once; returns the page of its payment. */
export async function resendAction(request: DashboardRequest) {
  const id = request.params.id ?? '';
  const { type, sequence, paymentId, url } = existing(await findCallback(id, merchantOf(request.viewer)));
  if (url === null) throw refusal('This callback has no address to go to.');
  const seconds = retryAfterForPayment('resend', paymentId);
  if (seconds > 0) throw tooMany(seconds);
  await logAction(request, 'callback.resend', subjectOf(paymentId), { after: { type, sequence, callback: id } });
  await resendCallbacks([id], request.now);
  return paymentPage({ ...request, params: { id: paymentId } });
}

/** Executes a plan and returns the payment's page. A repeat under the same key only returns the page. */
function paymentAction<Form extends Input>(
  form: z.ZodType<Form>,
  kinds: readonly Kind[],
  plan: (payment: Payment, input: Form, now: Date) => ActionPlan,
) {
  return async (request: DashboardRequest) => {
    const input = parseBody(form, request.body);
    const { version, key, amount } = input;
    const payment = existing(await findPayment(request.params.id ?? '', merchantOf(request.viewer) ?? undefined));
    const recorded = key === undefined ? null : await findByIdempotencyKey(payment.id, key);
    if (recorded) {
      const { kind, amountMinor } = recorded.transaction;
      const isSame = amount === undefined || minorOf(amount, payment) === amountMinor;
      if (!kinds.includes(kind) || !isSame) throw refusal(reused);
      return paymentPage(request);
    }
    if (payment.version !== version) throw refusal(changed);
    const { action, after, act } = plan(payment, input, request.now);
    await logAction(request, action, subjectOf(payment.id), { after });
    try {
      await act({ key, ifUnchanged: true });
    } catch (thrown) {
      if (!(thrown instanceof ApiError)) throw thrown;
      const message = conflictTexts[thrown.key] ?? `${thrown.message} (${thrown.code})`;
      await logAction(request, `${action}.refused`, subjectOf(payment.id), { after: { ...after, message } });
      throw refusal(message);
    }
    return paymentPage(request);
  };
}

const conflictTexts: Partial<Record<ErrorKey, string>> = { duplicateRequest: changed, keyReused: reused };

function minorOf(text: string, { currency }: Payment): bigint | null {
  const parsed = parseAmount(text.trim(), currency);
  return parsed.ok ? parsed.minor : null;
}

function amountOf(text: string | undefined, payment: Payment, most: bigint): bigint {
  if (text === undefined) return most;
  const { currency } = payment;
  const minor = minorOf(text, payment);
  const example = formatAmount(most, currency);
  const refused = (amount: string) => invalid({ amount }, 'The amount is not valid.');
  if (minor === null) throw refused(`Enter the amount as ${example}.`);
  if (minor <= 0n) throw refused('The amount is above zero.');
  if (minor > most) throw refused(`At most ${example} ${currency} is possible.`);
  return minor;
}

/**
 * Syncs the transaction in flight, or the latest attempt, with its provider now, as the poll does, and reports the result
 * as a sentence.
 */
export async function syncWithProvider(request: DashboardRequest) {
  const { viewer, now, params } = request;
  const payment = existing(await findPayment(params.id ?? '', merchantOf(viewer) ?? undefined));
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
  const answered = matches.find((each) => each.id === requested.id) ?? requested;
  return { page, said: resultText(provider, payment, existing(seen), requested, answered) };
}

// An error message claims nothing about the outcome: the provider may have answered, and the answer may be stored.
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
