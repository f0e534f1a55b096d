// Refund, capture, void and retry of a Checkout payment (protocol.md 3). A refund and a retry are accepted and reported
// by callback; a capture and a void respond with their outcome.
import { z } from 'zod';
import { wireDate } from '../../core/dates.ts';
import type { Payment, Transaction } from '../../core/payment.ts';
import type { Mapping } from '../../merchants/index.ts';
import { capture, findPayment, refund, retryPayment, voidPayment } from '../../payments/index.ts';
import { removeToken } from '../../vault/index.ts';
import { action, type KnownCaller, requirePayoutSignature } from '../pipeline/handle.ts';
import { amount, cardToken, text } from '../shared/fields.ts';
import { modify, modifyAmount, stateAfter } from '../shared/modifications.ts';
import { getCardToken } from '../shared/request-checks.ts';
import { checkoutStatus, checkoutWireName, definedFields, isPayout } from '../shared/wire-fields.ts';
import { orderOf } from './status.ts';

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

const ofPayment = { subject: byPayment, missing: 'paymentNotFound' } as const;
const ofAmount = { ...ofPayment, schema: amountSchema, signature: amountSignature };
const ofWhole = { ...ofPayment, schema: paymentSchema, signature: wholeSignature };

/** POST /api/v1/payment/refund. Without an amount it refunds the whole remainder. */
export const refundPayment = action<AmountRequest, Payment>({
  ...ofAmount,
  run: async (context) => {
    const { transaction } = await modifyAmount(context, refund);
    return { payment_id: context.subject.id, result: 'accepted', operation_id: transaction.id };
  },
});

/** POST /api/v1/payment/capture: captures the authorised amount in whole or in part. */
export const capturePayment = action<AmountRequest, Payment>({
  ...ofAmount,
  run: async (context) => {
    const { payment, transaction } = await modifyAmount(context, capture);
    return captureResponse(payment, transaction);
  },
});

/** POST /api/v1/payment/void: cancels a payment settled on the same UTC day, or an authorisation. */
export const voidWhole = action<PaymentRequest, Payment>({
  ...ofWhole,
  run: async (context) => {
    const { payment, transaction } = await modify(context, voidPayment);
    return voidResponse(payment, transaction, context.caller.mapping);
  },
});

/** POST /api/v1/payment/retry. */
export const retry = action<PaymentRequest, Payment>({
  ...ofWhole,
  run: async ({ caller, subject, now, request }) => {
    // The pipeline's payout check runs before the payment is found, so it cannot know the operation.
    if (isPayout(subject.operation)) requirePayoutSignature(caller.mapping, request);
    await retryPayment(caller, subject, now);
    return { payment_id: subject.id, result: 'accepted' };
  },
});

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

/** The response to a capture. A failed one leaves the payment pending. */
export function captureResponse(payment: Payment, transaction: Transaction): object {
  const status = checkoutStatus[stateAfter(transaction, payment)];
  return definedFields({ payment_id: payment.id, status, ...outcomeFields(transaction) });
}

/** The response to a void. A failed one leaves the payment as it was. */
export function voidResponse(
  payment: Payment,
  transaction: Transaction,
  mapping: Pick<Mapping, 'reversalWord'>,
): object {
  const status = checkoutWireName(checkoutStatus[stateAfter(transaction, payment)], payment, mapping);
  const fields = { status, payment_status: status, ...outcomeFields(transaction), order: orderOf(payment) };
  return definedFields({ payment_id: payment.id, ...fields });
}

const outcomeFields = (transaction: Transaction) => ({
  trans_status: transStatus[transaction.status],
  date: wireDate(transaction.finishedAt ?? transaction.createdAt),
  reason: transaction.status === 'fail' ? transaction.declineReason : undefined,
  operation_id: transaction.id,
});

const removalSchema = z.object({ merchant_key: text(1, 64), card_token: cardToken, hash: text(1, 128) });

/** POST /api/v1/card_token/remove. A repeat gets the same response; recurring payments have a token of their own. */
export const removeCardToken = action<z.output<typeof removalSchema>>({
  schema: removalSchema,
  signature: ({ card_token: token, hash }) => ({ recipe: 'cardToken', values: { cardToken: token }, hash }),
  run: async ({ caller, input, now }) => {
    const { card_token: token } = input;
    if (!(await removeToken(caller.merchant.id, token, now))) await getCardToken(caller, token, now);
    return { card_token: token, result: 'removed' };
  },
});
