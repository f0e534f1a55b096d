// Rendered callbacks: Checkout's fields (protocol.md 7, interface.md, Events 3 to 6) with the contract's hash, and the
// headers of the Standard Webhooks specification, which do not affect the body.
import { createHmac } from 'node:crypto';
import { wireDate } from '../core/dates.ts';
import { formatAmount } from '../core/money.ts';
import type { Payment } from '../core/payment.ts';
import { type CallbackSignature, sign } from '../core/signatures.ts';
import { signWebhook } from '../core/webhooks.ts';
import { encodeForm, type FormFields } from '../http/index.ts';
import {
  cardExpiry,
  cardMask,
  checkoutStatus,
  checkoutWireName,
  definedFields,
  type FieldSource,
  fullName,
  type KnownCaller,
  networkOf,
  operationHeader,
  operationIdOf,
  payeeFields,
  scheduleFields,
} from '../protocols/index.ts';
import type { DueCallback } from './queue.ts';
import { additionsOf, formCallbackFields, formCallbackSignature } from './render-s2s.ts';

/** A callback with the data that it reports. */
export type CallbackSubject = FieldSource & { caller: KnownCaller; callback: DueCallback };

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

/** The body of a callback, rendered for its first attempt; every repeat sends the same bytes (protocol.md 7). */
export function callbackBody(subject: CallbackSubject): string {
  return encodeForm(subject.payment.protocol === 'checkout' ? checkoutFields(subject) : formCallbackFields(subject));
}

/** One attempt at `at` with this body. The Standard Webhooks headers contain the time, so each attempt is signed. */
export function renderCallback({ callback, caller, movement }: CallbackSubject, body: string, at: Date): Rendered {
  const operationId = operationIdOf(movement);
  const headers = {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'florin-sequence': String(callback.sequence),
    ...(operationId ? { [operationHeader.toLowerCase()]: operationId } : {}),
    ...signWebhook(callbackSecret(caller.key.password), callback.id, at, body),
  };
  return { body, hash: new URLSearchParams(body).get('hash') ?? '', headers };
}

/** Checkout's fields in the order of protocol.md, then the mapping's additions, then the hash. */
export function checkoutFields(subject: CallbackSubject): FormFields {
  const { callback, payment, caller } = subject;
  const fields: FormFields = {
    ...definedFields({
      id: payment.id,
      payment_id: payment.id,
      trans_id: transactionOf(subject),
      operation_id: operationIdOf(subject.movement),
      order_id: payment.orderNumber,
      order_number: payment.orderNumber,
      order_amount: amountOf(subject),
      order_currency: payment.currency,
      order_description: payment.description,
      order_status: checkoutWireName(checkoutStatus[callback.orderState], payment, caller.mapping),
      type: checkoutWireName(callback.type, payment, caller.mapping),
      status: callback.outcome,
      reason: callback.outcome === 'fail' ? callback.reason : undefined,
      date: wireDate(callback.createdAt),
      ...customerFields(subject),
      ...cardFields(subject),
      ...payeeFields(payment),
      recurring_init_trans_id: payment.recurringFirstId ?? (payment.recurringToken ? payment.attemptId : undefined),
      ...scheduleFields(payment),
      ...cryptoFields(subject),
      digital_wallet: payment.digitalWallet,
      pan_type: payment.panType,
    }),
    ...additionsOf(subject),
  };
  return { ...fields, hash: hashOf(fields, caller) };
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
  return { customer_name: fullName(payer), ...Object.fromEntries(details) };
}

function cardFields({ payment }: CallbackSubject): FormFields {
  // The card of a payout is the payee's.
  const card = payment.operation === 'credit' ? null : payment.card;
  return {
    card: card && cardMask(card),
    card_expiration_date: card && cardExpiry(card),
    card_token: payment.cardToken,
  };
}

/** The network and address of a cryptocurrency payment. */
function cryptoFields({ payment, attempt }: CallbackSubject): FormFields {
  if (!attempt || attempt.method === 'card') return {};
  const { present: shown } = attempt.providerData;
  return {
    crypto_network: networkOf(payment, attempt),
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

function hashOf(fields: FormFields, { key, mapping }: KnownCaller): string {
  const { recipe, values } = checkoutCallbackSignature(fields);
  return sign(recipe, { ...values, password: key.password }, mapping);
}
