import type { Payment, Transaction } from '../../core/payment.ts';
import {
  capture,
  findPaymentWithTransaction,
  refund,
  retryPayment,
  statusReads,
  voidPayment,
} from '../../payments/index.ts';
import { type ActionContext, type ActionRow, action, type KnownCaller, type Signature } from '../pipeline/handle.ts';
import { modify, modifyAmount, refundableAmount } from '../shared/modifications.ts';
import { amountOfTransactionSchema, orderSchema, transactionSchema } from '../shared/s2s-requests.ts';
import { acceptedResponse, descriptorOf, modificationResponse, movementOf } from '../shared/s2s-responses.ts';
import {
  cardMask,
  definedFields,
  fullName,
  isPayout,
  s2sStatus,
  scheduleFields,
  selectOptionalFields,
} from '../shared/wire-fields.ts';

export type TransactionRequest = { trans_id: string; hash: string };
type AmountRequest = TransactionRequest & { amount?: string };

/** Returns a search for a merchant's payment of one protocol by any of its attempts, with a function that finds an attempt. */
export const byAttempt =
  (protocol: Payment['protocol'], find = findPaymentWithTransaction) =>
  async ({ merchant }: KnownCaller, { trans_id: id }: TransactionRequest): Promise<Payment | null> => {
    const match = await find(id);
    return match?.payment.merchantId === merchant.id && match.payment.protocol === protocol ? match.payment : null;
  };

/** The values of formulas 2, 6 and 7 from the payment: the payer's e-mail and the stored card's fragment. */
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
  // Formula 2 is accepted for a payout with a payer's e-mail; callbacks of payouts always use formula 6.
  const recipes = payment?.operation === 'credit' ? (['card2', 'card6'] as const) : modificationRecipe(payment);
  return { recipe: recipes, values: { ...signedValues(payment), transId }, hash };
}

const readByAttempt = byAttempt('s2s_card', statusReads.findPaymentWithTransaction);
const modification = {
  subject: byAttempt('s2s_card'),
  signature: modificationSignature,
  signedOverSubject: true,
} as const;

type Subject = ActionRow<TransactionRequest, Payment>['subject'];

/**
 * The modifications and the status request of both form protocols. `read`: the subject of the status request;
 * `signatureOfRefund`: of CREDITVOID.
 */
export function formModifications(
  common: Pick<ActionRow<TransactionRequest, Payment>, 'subject' | 'signature' | 'signedOverSubject'>,
  read: Subject,
  signatureOfRefund = common.signature,
) {
  return {
    /** Captures the authorised amount in whole or in part. */
    CAPTURE: action<AmountRequest, Payment>({
      ...common,
      schema: amountOfTransactionSchema,
      missing: 'transactionMissing',
      run: runCapture,
    }),
    /** Cancels a payment settled on the same UTC day; no authorisation on S2S APM (contract, States). */
    VOID: action<TransactionRequest, Payment>({
      ...common,
      schema: transactionSchema,
      missing: 'paymentNotFound',
      run: async (context) => modificationResponse('VOID', await modify(context, voidPayment)),
    }),
    /** Reverses an authorisation or a debit, or refunds a sale in whole or in part. */
    CREDITVOID: action<AmountRequest, Payment>({
      ...common,
      signature: signatureOfRefund,
      schema: amountOfTransactionSchema,
      missing: 'paymentNotFound',
      run: async (context) => acceptedResponse('CREDITVOID', (await modifyAmount(context, refund)).payment),
    }),
    GET_TRANS_STATUS: action<TransactionRequest, Payment>({
      ...common,
      subject: read,
      schema: transactionSchema,
      missing: 'transactionMissing',
      run: ({ caller, subject }) => statusResponse('GET_TRANS_STATUS', caller, subject),
    }),
  };
}

async function runCapture(context: ActionContext<AmountRequest, Payment>): Promise<object> {
  const result = await modifyAmount(context, capture);
  // S2S APM returns only the provider's descriptor (protocol.md 6).
  const descriptor = context.subject.protocol === 's2s_card' ? descriptorOf(result, context.caller) : undefined;
  return modificationResponse('CAPTURE', result, descriptor);
}

/** The response to a status request, with the mapping's optional fields. */
async function statusResponse(name: string, caller: KnownCaller, payment: Payment): Promise<object> {
  const names = caller.mapping.statusFields;
  const attempt = names.length > 0 ? await statusReads.lastAttempt(payment.id) : null;
  return {
    ...statusFields(name, payment),
    ...selectOptionalFields(names, { payment, attempt, movement: attempt, caller }),
  };
}

function statusFields(name: string, payment: Payment): object {
  return definedFields({
    action: name,
    result: 'SUCCESS',
    status: s2sStatus[payment.state],
    order_id: payment.orderNumber,
    // A calculated debit has no attempt yet, so the payment's id is returned.
    trans_id: payment.attemptId ?? payment.id,
    decline_reason: payment.state === 'declined' ? payment.reason : undefined,
    ...scheduleFields(payment),
    digital_wallet: payment.digitalWallet,
  });
}

const { GET_TRANS_STATUS, ...moves } = formModifications(modification, readByAttempt);

/** The actions by name. */
export const modificationActions = {
  ...moves,
  // Tries a declined payment again with its card. Signed by formula 2 or 1 over the stored card.
  RETRY: action<TransactionRequest, Payment>({
    ...modification,
    schema: transactionSchema,
    missing: 'paymentNotFound',
    signature: ({ trans_id: transId, hash }, payment) => ({
      recipe: [modificationRecipe(payment), 'card1'],
      values: { ...signedValues(payment), transId },
      hash,
    }),
    paysOut: (_input, payment) => payment !== undefined && isPayout(payment.operation),
    run: async ({ caller, subject, now }) => acceptedResponse('RETRY', await retryPayment(caller, subject, now)),
  }),
  GET_TRANS_STATUS,
  // The status, the payer, the card and every transaction.
  GET_TRANS_DETAILS: action<TransactionRequest, Payment>({
    ...modification,
    subject: readByAttempt,
    schema: transactionSchema,
    missing: 'transactionMissing',
    run: async ({ caller, subject }) => {
      const transactions = await statusReads.transactionsOf(subject.id);
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
  }),
  // The newest payment of the order number. Formula 7.
  GET_TRANS_STATUS_BY_ORDER: action<{ order_id: string; hash: string }, Payment>({
    schema: orderSchema,
    subject: async ({ merchant }, { order_id: orderNumber }) => {
      const payments = await statusReads.findByOrder(merchant.id, orderNumber, 10);
      return payments.find((payment) => payment.protocol === 's2s_card') ?? null;
    },
    signedOverSubject: true,
    missing: 'orderMissing',
    signature: ({ order_id: orderId, hash }, payment) => ({
      recipe: 'card7',
      values: { ...signedValues(payment), orderId },
      hash,
    }),
    run: ({ caller, subject }) => statusResponse('GET_TRANS_STATUS_BY_ORDER', caller, subject),
  }),
} as const;
