// How the form protocols tell of a payment: result and status, and the fields of each answer (protocol.md 5). Callbacks
// are built from the same parts, so that an answer and its callback never differ.
import { wireDate } from '../../core/dates';
import { formatAmount } from '../../core/money';
import type { Payment, PaymentWithTransaction, Transaction } from '../../core/payment';
import type { FormFields } from '../../http';
import type { Caller } from '../../merchants';
import { operationStatus, stateAfter } from './modifications';
import { definedFields, s2sStatus } from './wire-fields';

/** The wire's `trans_id`: the attempt, also where a cascade or a follow-up has led further. */
export function transIdOf({ payment, transaction }: PaymentWithTransaction): string {
  return transaction.attemptId ?? (payment.attemptId || transaction.id);
}

/**
 * SUCCESS, DECLINED, REDIRECT or UNDEFINED, by what is known of the transaction. A payer who is shown a code or an app is
 * led away; with anything else that they are shown the payment is pending, as far as it can be (protocol.md 6).
 */
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

/** What every answer about a payment ends with. */
export function commonFields(both: PaymentWithTransaction): FormFields {
  const { payment } = both;
  return {
    status: s2sStatus[payment.state],
    order_id: payment.orderNumber,
    trans_id: transIdOf(both),
  };
}

/** What stands on the payer's statement: what the provider says, else what it was asked to write there. */
export function descriptorOf(
  { payment, transaction }: PaymentWithTransaction,
  { merchant }: Pick<Caller, 'merchant'>,
): string {
  const asked = (payment.parameters[transaction.method] as { descriptor?: unknown } | undefined)?.descriptor;
  return transaction.providerData.descriptor ?? (typeof asked === 'string' ? asked : merchant.name);
}

/** The answer to a charge, in the words of its outcome. Without `descriptor` the provider's own is told, if any. */
export function chargeResponse(
  action: string,
  both: PaymentWithTransaction,
  redirectsAsList: boolean,
  descriptor?: string,
): object {
  const { payment, transaction } = both;
  const unclear = payment.authorizeOnly ? 'PENDING' : 'PREPARE';
  const result = resultOf(transaction);
  return definedFields({
    action,
    result,
    ...commonFields(both),
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

/** What a first payment of a chain, and a payment with a token, tell besides. */
export function chainFields(payment: Payment): FormFields {
  return {
    recurring_token: payment.recurringToken,
    schedule_id: payment.scheduleId,
    first_recurring_date: payment.firstRecurring,
    schedule_start_date: payment.scheduleId ? payment.scheduleStart : undefined,
    payment_schedule_amount: payment.scheduleId ? payment.scheduleAmount : undefined,
    card_token: payment.cardToken,
  };
}

/** Where the payer's browser has to go. On `/v2/post` the parameters are a list of name and value. */
export function redirectFields({ action }: Transaction, asList: boolean): FormFields {
  if (!action) return {};
  const params = asList ? Object.entries(action.params).map(([name, value]) => ({ name, value })) : action.params;
  return { redirect_url: action.url, redirect_method: action.method, redirect_params: params };
}

/** The answer to CAPTURE and VOID, which wait for their outcome; `descriptor` as of {@link chargeResponse}. */
export function modificationResponse(action: string, both: PaymentWithTransaction, descriptor?: string): object {
  const { payment, transaction } = both;
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
    ...commonFields(both),
    status: s2sStatus[stateAfter(transaction, payment)],
    trans_date: wireDate(transaction.finishedAt ?? transaction.createdAt),
    ...(action === 'CAPTURE' ? captured : {}),
    decline_reason: result === 'DECLINED' ? transaction.declineReason : undefined,
  });
}

/** The answer to CREDITVOID and RETRY: taken; the outcome comes by callback. */
export function acceptedResponse(action: string, payment: Payment): object {
  return definedFields({ action, result: 'ACCEPTED', order_id: payment.orderNumber, trans_id: payment.attemptId });
}

/** One movement in the list of GET_TRANS_DETAILS. */
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
