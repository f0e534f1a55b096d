// Callbacks of the form protocols: the fields of the response, sent again when the state changes (protocol.md 7). S2S
// CARD signs by formula 2 over the stored card, or 6 for payouts and payers without e-mail; S2S APM by the recipes at the
// end.
import { isoDay, wireDate } from '../core/dates.ts';
import { formatAmount } from '../core/money.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import { type CallbackSignature, type SignedFields, sign } from '../core/signatures.ts';
import type { FormFields } from '../http/index.ts';
import {
  actionOf as apmAction,
  apmDetailFields,
  cardExpiry,
  cardMask,
  chainFields,
  definedFields,
  descriptorOf,
  type FieldSource,
  isCryptoPayment,
  type KnownCaller,
  modificationRecipe,
  quoteFields,
  redirectFields,
  s2sStatus,
  selectOptionalFields,
  signedValues,
} from '../protocols/index.ts';
import type { DueCallback } from './queue.ts';

type FormCallback = FieldSource & { caller: KnownCaller; callback: DueCallback };

/** The value of `result` for an outcome; REDIRECT if the payer must be redirected. */
export const callbackResults = {
  success: 'SUCCESS',
  fail: 'DECLINED',
  waiting: 'WAITING',
  undefined: 'UNDEFINED',
} as const;

/** The action that created a payment. */
function actionOf(payment: Payment): string {
  if (payment.protocol === 's2s_apm') return apmAction(payment);
  if (payment.recurringFirstId) return payment.operation === 'debit' ? 'RECURRING_DEBIT' : 'RECURRING_SALE';
  return {
    purchase: 'SALE',
    debit: 'DEBIT',
    transfer: 'CARD2CARD',
    credit: 'CREDIT2CARD',
    recurring: 'RECURRING_SALE',
  }[payment.operation];
}

/** The action of a modification by its callback type. */
export const modificationActions: Readonly<Record<string, string>> = {
  capture: 'CAPTURE',
  refund: 'CREDITVOID',
  reversal: 'CREDITVOID',
  void: 'VOID',
  chargeback: 'CHARGEBACK',
};

/** The merchant's own data, and the optional fields of the mapping. */
export function additionsOf(subject: FormCallback): FormFields {
  const { payment, caller } = subject;
  const names = caller.mapping.callbackFields;
  return {
    ...(payment.customData === null ? {} : { custom_data: payment.customData as FormFields }),
    // In a callback, unlike in a status response, an unknown ARN is sent as empty (interface.md, Events 5).
    ...(names.includes('ARN') && { ARN: '' }),
    ...selectOptionalFields(names, subject),
  };
}

/** The fields of a callback, the hash last. */
export function formCallbackFields(subject: FormCallback): FormFields {
  const { callback, payment, caller } = subject;
  const action = modificationActions[callback.type] ?? actionOf(payment);
  const transId = subject.movement?.attemptId ?? callback.transactionId;
  const isIntermediate = callback.type === '3ds' || callback.type === 'redirect';
  const fields: FormFields = {
    ...definedFields({
      action,
      result: isIntermediate && callback.outcome === 'success' ? 'REDIRECT' : callbackResults[callback.outcome],
      status: s2sStatus[callback.orderState],
      order_id: payment.orderNumber,
      trans_id: transId,
      ...timesAndAmounts(action, subject),
      descriptor: reportedDescriptor(subject),
      card: payment.card && cardMask(payment.card),
      card_expiration_date: payment.card && cardExpiry(payment.card),
      recurring_init_trans_id: payment.recurringFirstId,
      ...chainFields(payment),
      digital_wallet: payment.digitalWallet,
      pan_type: payment.panType,
      decline_reason: callback.outcome === 'fail' ? callback.reason : undefined,
    }),
    ...(isIntermediate && subject.movement ? redirectFields(subject.movement, false) : {}),
    ...(payment.protocol === 's2s_apm' ? apmFields(action, subject) : {}),
    ...additionsOf(subject),
  };
  const { recipe, values } = formCallbackSignature(fields, payment);
  const { key, mapping } = caller;
  return { ...fields, hash: sign(recipe, { ...values, password: key.password }, mapping) };
}

// S2S CARD always sends it; other methods only if the provider reports it.
function reportedDescriptor({ attempt, payment, caller }: FormCallback): string | undefined {
  if (!attempt || payment.protocol === 's2s_apm') return attempt?.providerData.descriptor;
  return descriptorOf({ payment, transaction: attempt }, caller);
}

/** The signature of a form protocol's callback with these fields. */
export function formCallbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  if (payment.protocol === 's2s_apm') return apmCallbackSignature(fields, payment);
  const values = { ...signedValues(payment), transId: fields.trans_id as string };
  return { recipe: modificationRecipe(payment), values };
}

function timesAndAmounts(action: string, { callback, payment, movement }: FormCallback): FormFields {
  const amount = formatAmount(callback.amountMinor, payment.currency);
  if (action === 'CHARGEBACK') return { amount, ...chargebackFields(movement) };
  const at = wireDate(callback.createdAt);
  const dated = action === 'CREDITVOID' ? { creditvoid_date: at } : { trans_date: at };
  return { ...dated, amount, currency: payment.currency };
}

function chargebackFields(movement: Transaction | null): FormFields {
  const { chargeback_date, bank_date, reason_code } = movement?.providerData.extended ?? {};
  return { chargeback_date: chargeback_date ?? (movement && isoDay(movement.createdAt)), bank_date, reason_code };
}

/** The fields in addition to those of every form protocol. `action` is the reported action. */
function apmFields(action: string, { callback, payment, movement }: FormCallback): FormFields {
  // A modification has its own amount and no instructions for the payer.
  if (action !== actionOf(payment) || !movement) return {};
  // Decided by the callback: the payment may have changed since.
  const isOpen = callback.type === 'init' || callback.type === 'redirect';
  return { ...quoteFields(payment), ...apmDetailFields(payment, movement, isOpen) };
}

/** The signature of a callback with these fields: payouts and cryptocurrency sales have their own formulas. */
function apmCallbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  const begins = fields.action === actionOf(payment);
  const transId = fields.trans_id as string;
  if (begins && payment.operation === 'credit') {
    const values = { transId, orderId: fields.order_id as string, status: fields.status as string };
    return { recipe: 'apmCreditCallback', values };
  }
  if (begins && fields.action === 'SALE' && isCryptoPayment(payment)) {
    return { recipe: 'apmCryptoCallback', values: { payerEmail: payment.payer.email, transId } };
  }
  return { recipe: 'apmCallback', values: { fields: fields as SignedFields } };
}
