// Refund, capture, void and retry of a Checkout payment (protocol.md 3). A refund and a retry are accepted and reported
// by callback; a capture and a void respond with their outcome.
import { z } from 'zod';
import { wireDate } from '../../core/dates';
import { throwFieldErrors } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { Payment, Transaction } from '../../core/payment';
import type { Mapping } from '../../merchants';
import { capture, findPayment, refund, retryPayment, voidPayment } from '../../payments';
import { removeToken } from '../../vault';
import { action, type KnownCaller, requirePayoutSignature } from '../pipeline/handle';
import { amount, orderAmountError, patternText, text } from '../shared/fields';
import { idempotencyKeyOf, operationHeader, stateAfter } from '../shared/modifications';
import { isPayout } from '../shared/payee';
import { getCardToken } from '../shared/request-checks';
import { checkoutStatus, checkoutWireName, definedFields } from '../shared/wire-fields';
import { orderOf } from './status';

/** The fields of void and retry. */
export const paymentSchema = z.object({ merchant_key: text(1, 64), payment_id: text(1, 255), hash: text(1, 128) });

/** The fields of refund and capture. An empty amount is a field error, so that it cannot mean the full amount. */
export const amountSchema = paymentSchema.extend({ amount: amount.nullish() });

type PaymentRequest = z.output<typeof paymentSchema>;
type AmountRequest = z.output<typeof amountSchema>;

const byPayment = ({ merchant }: KnownCaller, input: PaymentRequest) => findPayment(input.payment_id, merchant.id);

const wholeSignature = ({ payment_id: paymentId, hash }: PaymentRequest) =>
  ({ recipe: 'wholePayment', values: { paymentId }, hash }) as const;

const amountSignature = ({ payment_id: paymentId, amount: sent, hash }: AmountRequest) =>
  ({ recipe: 'amountOfPayment', values: { paymentId, amount: sent ?? undefined }, hash }) as const;

/** POST /api/v1/payment/refund. Without an amount it refunds the whole remainder. */
export const refundPayment = action<AmountRequest, Payment>({
  schema: amountSchema,
  signature: amountSignature,
  subject: byPayment,
  missing: 'paymentNotFound',
  run: async ({ input, subject, now, request, responseHeaders }) => {
    const idempotency = { key: idempotencyKeyOf(request) };
    const { transaction } = await refund(subject, minorOf(input, subject), now, idempotency);
    responseHeaders.push([operationHeader, transaction.id]);
    return { payment_id: subject.id, result: 'accepted', operation_id: transaction.id };
  },
});

/** POST /api/v1/payment/capture: captures the authorised amount in whole or in part. */
export const capturePayment = action<AmountRequest, Payment>({
  schema: amountSchema,
  signature: amountSignature,
  subject: byPayment,
  missing: 'paymentNotFound',
  run: async ({ input, subject, now, request, responseHeaders }) => {
    const idempotency = { key: idempotencyKeyOf(request) };
    const { payment, transaction } = await capture(subject, minorOf(input, subject), now, idempotency);
    responseHeaders.push([operationHeader, transaction.id]);
    return captureResponse(payment, transaction);
  },
});

/** POST /api/v1/payment/void: cancels a payment settled on the same UTC day, or an authorisation. */
export const voidWhole = action<PaymentRequest, Payment>({
  schema: paymentSchema,
  signature: wholeSignature,
  subject: byPayment,
  missing: 'paymentNotFound',
  run: async ({ caller, subject, now, request, responseHeaders }) => {
    const { payment, transaction } = await voidPayment(subject, now, { key: idempotencyKeyOf(request) });
    responseHeaders.push([operationHeader, transaction.id]);
    return voidResponse(payment, transaction, caller.mapping);
  },
});

/** POST /api/v1/payment/retry. */
export const retry = action<PaymentRequest, Payment>({
  schema: paymentSchema,
  signature: wholeSignature,
  subject: byPayment,
  missing: 'paymentNotFound',
  run: async ({ caller, subject, now, request }) => {
    // The pipeline's payout check runs before the payment is found, so it cannot know the operation.
    if (isPayout(subject.operation)) requirePayoutSignature(caller.mapping, request);
    await retryPayment(caller, subject, now);
    return { payment_id: subject.id, result: 'accepted' };
  },
});

function minorOf(input: AmountRequest, payment: Payment): bigint | null {
  if (input.amount === null || input.amount === undefined) return null;
  const fieldError = orderAmountError(input.amount, payment.currency, false);
  if (fieldError) throwFieldErrors([{ path: 'amount', text: fieldError }]);
  const parsed = parseAmount(input.amount, payment.currency);
  if (!parsed.ok) throw new Error(`amount passed its check and failed to parse: ${parsed.fault}`);
  return parsed.minor;
}

/** `trans_status` of an operation by the status that is known at the time of the response. */
const transStatus: Readonly<Record<Transaction['status'], string>> = {
  success: 'SUCCESS',
  fail: 'FAIL',
  waiting: 'WAITING',
  sent: 'UNDEFINED',
  unknown: 'UNDEFINED',
  challenge: 'UNDEFINED',
  redirect: 'UNDEFINED',
};

const reasonOf = (transaction: Transaction) => (transaction.status === 'fail' ? transaction.declineReason : undefined);

/** The response to a capture. A failed one leaves the payment pending. */
export function captureResponse(payment: Payment, transaction: Transaction): object {
  return definedFields({
    payment_id: payment.id,
    status: checkoutStatus[stateAfter(transaction, payment)],
    trans_status: transStatus[transaction.status],
    date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    reason: reasonOf(transaction),
    operation_id: transaction.id,
  });
}

/** The response to a void. A failed one leaves the payment as it was. */
export function voidResponse(
  payment: Payment,
  transaction: Transaction,
  mapping: Pick<Mapping, 'reversalWord'>,
): object {
  const state = checkoutWireName(checkoutStatus[stateAfter(transaction, payment)], payment, mapping);
  return definedFields({
    payment_id: payment.id,
    status: state,
    payment_status: state,
    trans_status: transStatus[transaction.status],
    date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    reason: reasonOf(transaction),
    operation_id: transaction.id,
    order: orderOf(payment),
  });
}

const removalSchema = z.object({
  merchant_key: text(1, 64),
  card_token: patternText(/^[0-9A-Za-z-]+$/, 128),
  hash: text(1, 128),
});

/**
 * POST /api/v1/card_token/remove. A repeat gets the same response. Recurring payments with the card continue, because
 * they have a token of their own.
 */
export const removeCardToken = action<z.output<typeof removalSchema>>({
  schema: removalSchema,
  signature: ({ card_token: cardToken, hash }) => ({ recipe: 'cardToken', values: { cardToken }, hash }),
  run: async ({ caller, input, now }) => {
    const { card_token: token } = input;
    if (!(await removeToken(caller.merchant.id, token, now))) await getCardToken(caller, token, now);
    return { card_token: token, result: 'removed' };
  },
});
