// Rendered callbacks: the fields of each protocol (protocol.md 7, interface.md, Events 3 to 6) with the contract's hash,
// and the headers of the Standard Webhooks specification, which do not affect the body.
import { createHmac } from 'node:crypto';
import { isoDay, wireDate } from '../core/dates.ts';
import { maskPresentation } from '../core/masked-presentation.ts';
import { formatAmount } from '../core/money.ts';
import type { Payment, Transaction } from '../core/payment.ts';
import { type CallbackSignature, type SignedFields, sign } from '../core/signatures.ts';
import { signWebhook } from '../core/webhooks.ts';
import { encodeForm, type FormFields } from '../http/index.ts';
import * as wire from '../protocols/index.ts';
import type { DueCallback } from './queue.ts';

/** A callback with the data that it reports. */
export type CallbackSubject = wire.FieldSource & { caller: wire.KnownCaller; callback: DueCallback };

/**
 * The secret of the webhook-signature header, `whsec_` and base64. It is derived from the merchant's password, so that
 * merchants need no second secret and a new password changes both: HMAC-SHA256 with the password as the key over the
 * text `florin callbacks`.
 */
export function callbackSecret(password: string): string {
  return `whsec_${createHmac('sha256', password).update('florin callbacks').digest('base64')}`;
}

/** The content of one attempt: the body, its `hash`, and the headers. */
export type Rendered = { body: string; hash: string; headers: { [name: string]: string } };

/** The signed body of a callback, rendered for its first attempt; every repeat sends the same bytes (protocol.md 7). */
export function callbackBody(subject: CallbackSubject): string {
  return encodeForm(callbackFields(subject));
}

/** The fields of a callback: those of its protocol, then the mapping's additions, then the hash. */
export function callbackFields(subject: CallbackSubject): FormFields {
  const { payment, caller } = subject;
  const own = payment.protocol === 'checkout' ? checkoutFields(subject) : formFields(subject);
  const fields: FormFields = { ...own, ...additionsOf(subject) };
  const { recipe, values } = callbackSignature(fields, payment);
  return { ...fields, hash: sign(recipe, { ...values, password: caller.key.password }, caller.mapping) };
}

/** One attempt at `at` with this body. The Standard Webhooks headers contain the time, so each attempt is signed. */
export function renderCallback({ callback, caller, movement }: CallbackSubject, body: string, at: Date): Rendered {
  const operationId = wire.operationIdOf(movement);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'florin-sequence': String(callback.sequence),
    ...(operationId ? { [wire.operationHeader.toLowerCase()]: operationId } : {}),
    ...signWebhook(callbackSecret(caller.key.password), callback.id, at, body),
  };
  return { body, hash: new URLSearchParams(body).get('hash') ?? '', headers };
}

/** Checkout's fields in the order of protocol.md. */
function checkoutFields(subject: CallbackSubject): FormFields {
  const { callback, payment, caller } = subject;
  return wire.definedFields({
    id: payment.id,
    payment_id: payment.id,
    trans_id: transactionOf(subject),
    operation_id: wire.operationIdOf(subject.movement),
    order_id: payment.orderNumber,
    order_number: payment.orderNumber,
    order_amount: amountOf(subject),
    order_currency: payment.currency,
    order_description: payment.description,
    order_status: wire.checkoutWireName(wire.checkoutStatus[callback.orderState], payment, caller.mapping),
    type: wire.checkoutWireName(callback.type, payment, caller.mapping),
    status: callback.outcome,
    reason: callback.outcome === 'fail' ? callback.reason : undefined,
    date: wireDate(callback.createdAt),
    ...customerFields(subject),
    ...cardFields(subject),
    ...wire.payeeFields(payment),
    recurring_init_trans_id: payment.recurringFirstId ?? (payment.recurringToken ? payment.attemptId : undefined),
    ...wire.scheduleFields(payment),
    ...cryptoFields(subject),
    digital_wallet: payment.digitalWallet,
    pan_type: payment.panType,
  });
}

// A modification is reported with the id of its attempt.
function transactionOf({ callback, movement, payment }: CallbackSubject): string | null {
  return movement?.attemptId ?? callback.transactionId ?? payment.attemptId;
}

// The moved amount. If it equals the order's, the merchant's own text is used, because merchants sign over it.
function amountOf({ callback, payment }: CallbackSubject): string {
  if (callback.amountMinor === payment.amountMinor) return payment.orderAmount;
  return formatAmount(callback.amountMinor, payment.currency);
}

function customerFields({ payment: { payer } }: CallbackSubject): FormFields {
  const names = ['email', 'ip', 'country', 'state', 'city', 'address'];
  const details = names.map((name) => [`customer_${name}`, payer[name]]);
  return { customer_name: wire.fullName(payer), ...Object.fromEntries(details) };
}

function cardFields({ payment }: CallbackSubject): FormFields {
  // The card of a payout is the payee's.
  const card = payment.operation === 'credit' ? null : payment.card;
  return {
    card: card && wire.cardMask(card),
    card_expiration_date: card && wire.cardExpiry(card),
    card_token: payment.cardToken,
  };
}

/** The network and address of a cryptocurrency payment. */
function cryptoFields({ payment, attempt }: CallbackSubject): FormFields {
  if (!attempt || attempt.method === 'card') return {};
  const { present: shown } = attempt.providerData;
  return {
    crypto_network: wire.networkOf(payment, attempt),
    crypto_address: shown?.kind === 'crypto' ? shown.address : undefined,
  };
}

/** The signature of any callback of a payment with these fields. */
export function callbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  return payment.protocol === 'checkout' ? checkoutCallbackSignature(fields) : formCallbackSignature(fields, payment);
}

/** The signature of a Checkout callback or of a return address's query, with these fields. */
export function checkoutCallbackSignature(fields: FormFields): CallbackSignature {
  const values = {
    paymentId: fields.payment_id as string,
    orderId: fields.order_number as string,
    amount: fields.order_amount as string,
    currency: fields.order_currency as string,
    description: fields.order_description as string,
  };
  return { recipe: 'checkoutCallback', values };
}

/** The value of `result` for an outcome; REDIRECT if the payer must be redirected. */
export const callbackResults = {
  success: 'SUCCESS',
  fail: 'DECLINED',
  waiting: 'WAITING',
  undefined: 'UNDEFINED',
} as const;

/** The action that created a payment. */
function actionOf(payment: Payment): string {
  if (payment.protocol === 's2s_apm') return wire.actionOf(payment);
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
function additionsOf(subject: CallbackSubject): FormFields {
  const { payment, caller } = subject;
  const names = caller.mapping.callbackFields;
  return {
    ...(payment.customData === null ? {} : { custom_data: payment.customData as FormFields }),
    // In a callback, unlike in a status response, an unknown ARN is sent as empty (interface.md, Events 5).
    ...(names.includes('ARN') && { ARN: '' }),
    ...wire.selectOptionalFields(names, subject),
  };
}

/**
 * The fields of a form protocol: those of the response, sent again when the state changes (protocol.md 7). S2S CARD signs
 * by formula 2 over the stored card, or 6 for payouts and payers without e-mail.
 */
function formFields(subject: CallbackSubject): FormFields {
  const { callback, payment } = subject;
  const action = modificationActions[callback.type] ?? actionOf(payment);
  const transId = subject.movement?.attemptId ?? callback.transactionId;
  const isIntermediate = callback.type === '3ds' || callback.type === 'redirect';
  return {
    ...wire.definedFields({
      action,
      result: isIntermediate && callback.outcome === 'success' ? 'REDIRECT' : callbackResults[callback.outcome],
      status: wire.s2sStatus[callback.orderState],
      order_id: payment.orderNumber,
      trans_id: transId,
      ...timesAndAmounts(action, subject),
      descriptor: reportedDescriptor(subject),
      card: payment.card && wire.cardMask(payment.card),
      card_expiration_date: payment.card && wire.cardExpiry(payment.card),
      recurring_init_trans_id: payment.recurringFirstId,
      ...wire.chainFields(payment),
      digital_wallet: payment.digitalWallet,
      pan_type: payment.panType,
      decline_reason: callback.outcome === 'fail' ? callback.reason : undefined,
    }),
    ...(isIntermediate && subject.movement ? wire.redirectFields(subject.movement, false) : {}),
    ...(payment.protocol === 's2s_apm' ? apmFields(action, subject) : {}),
  };
}

// S2S CARD always sends it; other methods only if the provider reports it.
function reportedDescriptor({ attempt, payment, caller }: CallbackSubject): string | undefined {
  if (!attempt || payment.protocol === 's2s_apm') return attempt?.providerData.descriptor;
  return wire.descriptorOf({ payment, transaction: attempt }, caller);
}

/** The signature of a form protocol's callback with these fields. */
export function formCallbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  if (payment.protocol === 's2s_apm') return apmCallbackSignature(fields, payment);
  const values = { ...wire.signedValues(payment), transId: fields.trans_id as string };
  return { recipe: wire.modificationRecipe(payment), values };
}

function timesAndAmounts(action: string, { callback, payment, movement }: CallbackSubject): FormFields {
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
function apmFields(action: string, { callback, payment, movement }: CallbackSubject): FormFields {
  // A modification has its own amount and no instructions for the payer.
  if (action !== actionOf(payment) || !movement) return {};
  // Decided by the callback: the payment may have changed since.
  const isOpen = callback.type === 'init' || callback.type === 'redirect';
  return { ...wire.quoteFields(payment), ...wire.apmDetailFields(payment, withMaskedPresentation(movement), isOpen) };
}

/** A callback never has a card number; those of releases before 0.2 have the provider's presentation in clear. */
function withMaskedPresentation(movement: Transaction): Transaction {
  const { present } = movement.providerData;
  if (!present) return movement;
  return { ...movement, providerData: { ...movement.providerData, present: maskPresentation(present) } };
}

/** The signature of a callback with these fields: payouts and cryptocurrency sales have their own formulas. */
function apmCallbackSignature(fields: FormFields, payment: Payment): CallbackSignature {
  const begins = fields.action === actionOf(payment);
  const transId = fields.trans_id as string;
  if (begins && payment.operation === 'credit') {
    const values = { transId, orderId: fields.order_id as string, status: fields.status as string };
    return { recipe: 'apmCreditCallback', values };
  }
  if (begins && fields.action === 'SALE' && wire.isCryptoPayment(payment)) {
    return { recipe: 'apmCryptoCallback', values: { payerEmail: payment.payer.email, transId } };
  }
  return { recipe: 'apmCallback', values: { fields: fields as SignedFields } };
}
