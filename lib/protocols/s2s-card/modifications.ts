// What is done with a payment of S2S CARD afterwards, and what can be asked about it. All of these are signed over the
// payment's own e-mail and card, so that the payment is found before the signature is checked (protocol.md 1).
import { throwFieldErrors } from '../../core/errors';
import { parseAmount } from '../../core/money';
import type { Payment, Transaction } from '../../core/payment';
import {
  capture,
  findByOrder,
  findPaymentWithTransaction,
  lastAttempt,
  refund,
  retryPayment,
  transactionsOf,
  voidPayment,
} from '../../payments';
import { type ActionContext, action, type KnownCaller, type Signature } from '../pipeline/handle';
import { orderAmountError } from '../shared/fields';
import { idempotencyKeyOf, operationHeader, refundableAmount } from '../shared/modifications';
import { isPayout } from '../shared/payee';
import { acceptedResponse, chainFields, descriptorOf, modificationResponse, movementOf } from '../shared/s2s-responses';
import { cardMask, definedFields, fullName, s2sStatus, selectOptionalFields } from '../shared/wire-fields';
import { amountOfTransactionSchema, orderSchema, transactionSchema } from './fields';

type TransactionRequest = { trans_id: string; hash: string };
type AmountRequest = TransactionRequest & { amount?: string };

/** A merchant's payment by any of its attempts. */
async function byTransaction({ merchant }: KnownCaller, { trans_id: id }: TransactionRequest): Promise<Payment | null> {
  const found = await findPaymentWithTransaction(id);
  // Checkout's payments have addresses of their own, and another merchant's are nobody's business.
  return found?.payment.merchantId === merchant.id && found.payment.protocol === 's2s_card' ? found.payment : null;
}

/** What formulas 2, 6 and 7 take from the payment: the payer's e-mail, and the stored card's fragment. */
export function signedValues(payment: Payment | undefined) {
  const card = payment?.card;
  return { payerEmail: payment?.payer.email, fragment: card ? card.first6 + card.last4 : undefined };
}

/** Formula 2, or 6 for a payment without e-mail and for payouts. */
export function modificationRecipe(payment: Payment | undefined): 'card2' | 'card6' {
  return !payment?.payer.email || payment.operation === 'credit' ? 'card6' : 'card2';
}

function modificationSignature(
  { trans_id: transId, hash }: TransactionRequest,
  payment: Payment | undefined,
): Signature {
  // A payout may name its payer, and is then asked about by formula 2; its callbacks are always signed by 6.
  const recipes = payment?.operation === 'credit' ? (['card2', 'card6'] as const) : modificationRecipe(payment);
  return { recipe: recipes, values: { ...signedValues(payment), transId }, given: hash };
}

const modification = {
  subject: byTransaction,
  signature: modificationSignature,
  signedOverSubject: true,
} as const;

/** CAPTURE: the whole hold, or one part of it. */
export const captureAction = action<AmountRequest, Payment>({
  ...modification,
  schema: amountOfTransactionSchema,
  missing: 'transactionMissing',
  run: runCapture,
});

/** VOID: a payment settled on the same UTC day. */
export const voidAction = action<TransactionRequest, Payment>({
  ...modification,
  schema: transactionSchema,
  missing: 'paymentNotFound',
  run: runVoid,
});

/** CREDITVOID: releases a hold, reverses a debit, refunds a sale in full or in parts. */
export const creditVoid = action<AmountRequest, Payment>({
  ...modification,
  schema: amountOfTransactionSchema,
  missing: 'paymentNotFound',
  run: runCreditVoid,
});

/** Carries CAPTURE out, of either form protocol. */
export async function runCapture(accepted: ActionContext<AmountRequest, Payment>): Promise<object> {
  const { caller, input, subject, now, request } = accepted;
  const asked = { key: idempotencyKeyOf(request) };
  const both = withActionName(accepted, await capture(subject, minorOf(input, subject), now, asked));
  // S2S APM has the provider's own descriptor alone (protocol.md 6).
  return modificationResponse(
    'CAPTURE',
    both,
    subject.protocol === 's2s_card' ? descriptorOf(both, caller) : undefined,
  );
}

/** Carries VOID out, of either form protocol. */
export async function runVoid(accepted: ActionContext<TransactionRequest, Payment>): Promise<object> {
  const { subject, now, request } = accepted;
  return modificationResponse(
    'VOID',
    withActionName(accepted, await voidPayment(subject, now, { key: idempotencyKeyOf(request) })),
  );
}

/** Carries CREDITVOID out, of either form protocol. */
export async function runCreditVoid(accepted: ActionContext<AmountRequest, Payment>): Promise<object> {
  const { input, subject, now, request } = accepted;
  const asked = { key: idempotencyKeyOf(request) };
  const { payment } = withActionName(accepted, await refund(subject, minorOf(input, subject), now, asked));
  return acceptedResponse('CREDITVOID', payment);
}

function withActionName<Both extends { transaction: Transaction }>(
  { answerHeaders }: ActionContext<TransactionRequest, Payment>,
  both: Both,
): Both {
  answerHeaders.push([operationHeader, both.transaction.id]);
  return both;
}

/** RETRY: a declined payment once more with its card. Signed by formula 2 or 1 over the stored card. */
export const retryAction = action<TransactionRequest, Payment>({
  ...modification,
  schema: transactionSchema,
  missing: 'paymentNotFound',
  signature: ({ trans_id: transId, hash }, payment) => ({
    recipe: [modificationRecipe(payment), 'card1'],
    values: { ...signedValues(payment), transId },
    given: hash,
  }),
  paysOut: (_input, payment) => payment !== undefined && isPayout(payment.operation),
  run: async ({ caller, subject, now }) => acceptedResponse('RETRY', await retryPayment(caller, subject, now)),
});

/** The `amount` of a follow-up in the payment's currency; null for the whole. */
export function minorOf(input: { amount?: string }, payment: Payment): bigint | null {
  if (input.amount === undefined) return null;
  const fault = orderAmountError(input.amount, payment.currency, false);
  if (fault) throwFieldErrors([{ path: 'amount', text: fault }]);
  const parsed = parseAmount(input.amount, payment.currency);
  if (!parsed.ok) throw new Error(`amount passed its check and failed to parse: ${parsed.fault}`);
  return parsed.minor;
}

/** GET_TRANS_STATUS. */
export const statusAction = action<TransactionRequest, Payment>({
  ...modification,
  schema: transactionSchema,
  missing: 'transactionMissing',
  run: ({ caller, subject }) => statusResponse('GET_TRANS_STATUS', caller, subject),
});

/** GET_TRANS_STATUS_BY_ORDER: the newest payment of the order number. Formula 7. */
export const statusByOrder = action<{ order_id: string; hash: string }, Payment>({
  schema: orderSchema,
  subject: async ({ merchant }, { order_id: orderNumber }) => {
    const payments = await findByOrder(merchant.id, orderNumber, 10);
    return payments.find((payment) => payment.protocol === 's2s_card') ?? null;
  },
  signedOverSubject: true,
  missing: 'orderMissing',
  signature: ({ order_id: orderId, hash }, payment) => ({
    recipe: 'card7',
    values: { ...signedValues(payment), orderId },
    given: hash,
  }),
  run: ({ caller, subject }) => statusResponse('GET_TRANS_STATUS_BY_ORDER', caller, subject),
});

/** What a lookup answers, with what the mapping adds. */
export async function statusResponse(name: string, caller: KnownCaller, payment: Payment): Promise<object> {
  const names = caller.mapping.statusFields;
  const attempt = names.length > 0 ? await lastAttempt(payment.id) : null;
  return {
    ...statusFields(name, payment),
    ...selectOptionalFields(names, { payment, attempt, movement: attempt, caller }),
  };
}

function statusFields(name: string, payment: Payment): object {
  const { card_token: _kept, ...chain } = chainFields(payment);
  return definedFields({
    action: name,
    result: 'SUCCESS',
    status: s2sStatus[payment.state],
    order_id: payment.orderNumber,
    // A debit that was only calculated has no attempt yet and is known by its own id.
    trans_id: payment.attemptId ?? payment.id,
    decline_reason: payment.state === 'declined' ? payment.reason : undefined,
    ...chain,
    digital_wallet: payment.digitalWallet,
  });
}

/** GET_TRANS_DETAILS: the status, the payer, the card and every movement. */
export const details = action<TransactionRequest, Payment>({
  ...modification,
  schema: transactionSchema,
  missing: 'transactionMissing',
  run: async ({ caller, subject }) => {
    const transactions = await transactionsOf(subject.id);
    const status = (await statusResponse('GET_TRANS_DETAILS', caller, subject)) as Record<string, string>;
    return {
      ...status,
      ...definedFields({
        name: fullName(subject.payer),
        mail: subject.payer.email,
        ip: subject.payer.ip,
        amount: subject.orderAmount,
        currency: subject.currency,
        card: subject.card && cardMask(subject.card),
        pan_type: subject.panType,
      }),
      refundable_amount: refundableAmount(subject),
      transactions: transactions.map((each: Transaction) => movementOf(subject, each)),
    };
  },
});
