// Builds the responses of the form protocols: result, status and fields (protocol.md 5). Callbacks use the same
// functions, so that a response and its callback never differ.
import { wireDate } from '../../core/dates.ts';
import { formatAmount } from '../../core/money.ts';
import type { Payment, PaymentWithTransaction, Transaction } from '../../core/payment.ts';
import type { FormFields } from '../../http/index.ts';
import type { Caller } from '../../merchants/index.ts';
import { operationStatus, stateAfter } from './modifications.ts';
import { definedFields, s2sStatus, scheduleFields } from './wire-fields.ts';

/** The wire's `trans_id`: the attempt, also where a cascade or a follow-up has led further. */
export function transIdOf({ payment, transaction }: PaymentWithTransaction): string {
  return transaction.attemptId ?? (payment.attemptId || transaction.id);
}

/** The result by the transaction's status. A QR code or an app link counts as REDIRECT (protocol.md 6). */
export function resultOf(transaction: Transaction): string {
  switch (transaction.status) {
    case 'success':
      return 'SUCCESS';
    case 'fail':
      return 'DECLINED';
    case 'challenge':
    case 'redirect':
      return 'REDIRECT';
    case 'waiting':
      return presentedResult(transaction);
    default:
      return 'UNDEFINED';
  }
}

function presentedResult({ providerData }: Transaction): string {
  const kind = providerData.present?.kind;
  if (kind === undefined) return 'UNDEFINED';
  return kind === 'qr' || kind === 'app' ? 'REDIRECT' : 'SUCCESS';
}

/** The fields of every response about a payment. */
export function commonFields(outcome: PaymentWithTransaction): FormFields {
  const { payment } = outcome;
  return { status: s2sStatus[payment.state], order_id: payment.orderNumber, trans_id: transIdOf(outcome) };
}

/** The descriptor on the payer's statement: the provider's, else the requested one, else the merchant's name. */
export function descriptorOf(
  { payment, transaction }: PaymentWithTransaction,
  { merchant }: Pick<Caller, 'merchant'>,
): string {
  const requested = (payment.parameters[transaction.method] as { descriptor?: unknown } | undefined)?.descriptor;
  return transaction.providerData.descriptor ?? (typeof requested === 'string' ? requested : merchant.name);
}

/** The response to a charge. Without `descriptor` it contains the provider's own, if there is one. */
export function chargeResponse(
  action: string,
  outcome: PaymentWithTransaction,
  redirectsAsList: boolean,
  descriptor?: string,
): object {
  const { payment, transaction } = outcome;
  const unclear = payment.authorizeOnly ? 'PENDING' : 'PREPARE';
  const result = resultOf(transaction);
  return definedFields({
    action,
    result,
    ...commonFields(outcome),
    status: result === 'UNDEFINED' ? unclear : s2sStatus[payment.state],
    trans_date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    descriptor: descriptor ?? transaction.providerData.descriptor,
    amount: formatAmount(transaction.amountMinor, transaction.currency),
    currency: transaction.currency,
    ...chainFields(payment),
    digital_wallet: payment.digitalWallet,
    pan_type: payment.panType,
    decline_reason: result === 'DECLINED' ? transaction.declineReason : undefined,
    ...(result === 'REDIRECT' ? redirectFields(transaction, redirectsAsList) : {}),
  });
}

/** Fields of recurring payments, schedules and card tokens. */
export const chainFields = (payment: Payment): FormFields => ({
  ...scheduleFields(payment),
  card_token: payment.cardToken,
});

/** The payer's redirect. On `/v2/post` the parameters are a list of names and values. */
export function redirectFields({ action }: Transaction, asList: boolean): FormFields {
  if (!action) return {};
  const params = asList ? Object.entries(action.params).map(([name, value]) => ({ name, value })) : action.params;
  return { redirect_url: action.url, redirect_method: action.method, redirect_params: params };
}

/** The response to CAPTURE and VOID, with their outcome. `descriptor` as in {@link chargeResponse}. */
export function modificationResponse(action: string, outcome: PaymentWithTransaction, descriptor?: string): object {
  const { payment, transaction } = outcome;
  const { currency } = payment;
  const result = resultOf(transaction);
  const captured = {
    descriptor: descriptor ?? transaction.providerData.descriptor,
    amount: formatAmount(transaction.amountMinor, currency),
    currency,
  };
  return definedFields({
    action,
    result,
    ...commonFields(outcome),
    status: s2sStatus[stateAfter(transaction, payment)],
    trans_date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    ...(action === 'CAPTURE' ? captured : {}),
    decline_reason: result === 'DECLINED' ? transaction.declineReason : undefined,
  });
}

/** The response to CREDITVOID and RETRY: accepted; a callback reports the outcome. */
export function acceptedResponse(action: string, payment: Payment): object {
  return definedFields({ action, result: 'ACCEPTED', order_id: payment.orderNumber, trans_id: payment.attemptId });
}

/** One transaction in the list of GET_TRANS_DETAILS. */
export function movementOf(payment: Payment, transaction: Transaction): object {
  return definedFields({
    operation_id: transaction.id,
    type: movementType(payment, transaction),
    status: operationStatus(transaction),
    date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    amount: formatAmount(transaction.amountMinor, transaction.currency),
  });
}

function movementType(payment: Payment, { kind, status }: Transaction): string {
  if (status === 'challenge') return '3DS';
  switch (kind) {
    case 'authorize':
      return 'AUTH';
    case 'capture':
    case 'refund':
    case 'void':
    case 'reversal':
    case 'chargeback':
    case 'credit':
      return kind.toUpperCase();
    default:
      return payment.operation === 'credit' ? 'CREDIT' : 'SALE';
  }
}
