/** Checks whether Florin signed a pasted callback, with the code that signs callbacks and the user's own keys only. */
import { z } from 'zod';
import { callbackSecret, checkoutCallbackSignature, formCallbackSignature } from '../../callbacks/index.ts';
import { env } from '../../config/index.ts';
import { fragmentOf } from '../../core/cards.ts';
import type { Question } from '../../core/hash-causes/layouts.ts';
import { protocolNames } from '../../core/mapping-options.ts';
import type { Payment, Protocol } from '../../core/payment.ts';
import type { CallbackSignature, Digest } from '../../core/signatures.ts';
import { signWebhook } from '../../core/webhooks.ts';
import { type FormFields, readFormText } from '../../http/index.ts';
import { callerOf, findCaller, signingKeysOf } from '../../merchants/index.ts';
import { findPayment, findPaymentWithTransaction } from '../../payments/index.ts';
import { invalid, parseBody, refusal } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { validKeyOf } from './documentation-key.ts';
import { explanationOf, seesWholeHash } from './explanation.ts';
import { oneLine, otherPasswords } from './hash-debugger.ts';

const pasted = z.object({
  body: z.string().trim().min(1, 'Paste the body of a callback.').max(64_000, 'The text is too long.'),
  headers: z.string().max(16_000).optional(),
});

/** Verifies a pasted callback. */
export async function verifyCallback({ viewer, scope, body, now }: DashboardRequest) {
  const { body: text, headers = '' } = parseBody(pasted, body);
  const fields = readFormText(oneLine(text));
  if (!fields) throw unreadable('This is not the body of a callback: expected name=value pairs separated by &.');
  const isCheckout = 'order_number' in fields || 'order_status' in fields;
  if (!isCheckout && !('action' in fields)) {
    throw unreadable('It contains neither order_number nor action, but every callback of Florin contains one of them.');
  }
  const payment = await paymentOf(fields, isCheckout, scope);
  const protocol = isCheckout ? 'checkout' : (payment?.protocol ?? 's2s_card');
  const signer = await signerOf(payment, protocol, scope, now);
  const { recipe, values } = signatureOf(fields, payment, isCheckout);
  if (Object.values(values).join('').length > signedMax)
    throw unreadable('A signed value is longer than in any callback.');
  const keys = await signingKeysOf(signer.merchantId);
  const question: Question = {
    recipe,
    values: { ...values, password: signer.password },
    digest: signer.digest,
    hash: textIn(fields, 'hash'),
    key: signer.key,
    passwords: otherPasswords(keys, signer.keyId, now),
    others: othersOf(payment, fields),
    unsigned: [],
  };
  return {
    protocol: protocolNames[protocol],
    paymentId: payment?.id ?? null,
    explanation: explanationOf({ ...question, labelOf, whole: seesWholeHash(viewer), code: [] }),
    webhook: webhookOf(headers, text, signer.password) ?? unverified[isCheckout ? 'checkout' : 's2s'],
    notes: notesOf(fields, payment, isCheckout),
  };
}

/** Longer texts take longer to explain than other requests may wait. */
const signedMax = 2048;

const unreadable = (body: string) => invalid({ body }, 'The text cannot be read.');

const textIn = (fields: FormFields, name: string) => (typeof fields[name] === 'string' ? (fields[name] as string) : '');

async function paymentOf(fields: FormFields, isCheckout: boolean, scope: string | null): Promise<Payment | null> {
  if (isCheckout) return findPayment(textIn(fields, 'payment_id') || textIn(fields, 'id'), scope ?? undefined);
  const row = (await findPaymentWithTransaction(textIn(fields, 'trans_id')))?.payment ?? null;
  return row && (scope === null || row.merchantId === scope) ? row : null;
}

type Signer = { merchantId: string; keyId: string; key: string; password: string; digest: Digest };

/** The key of the payment; for an unknown payment the merchant's newest key. */
async function signerOf(payment: Payment | null, protocol: Protocol, scope: string | null, now: Date): Promise<Signer> {
  if (payment) {
    const { key, mapping, merchant } = await callerOf(payment);
    return { merchantId: merchant.id, keyId: key.id, key: key.key, password: key.password, digest: mapping.digest };
  }
  if (scope === null) {
    const body = 'No payment has this ID. Choose the merchant first, so that its keys can be tried.';
    throw invalid({ body }, 'Unknown payment.');
  }
  const keys = await signingKeysOf(scope);
  const newest = validKeyOf(keys, now) ?? keys.find(({ environment }) => environment === env.appEnv);
  if (!newest) throw refusal('This merchant has no key in this environment.');
  const caller = await findCaller(newest.key, protocol, now);
  const { id: keyId, key, password } = newest;
  return { merchantId: scope, keyId, key, password, digest: caller?.mapping?.digest ?? 'md5' };
}

function signatureOf(fields: FormFields, payment: Payment | null, isCheckout: boolean): CallbackSignature {
  if (isCheckout) return checkoutCallbackSignature(fields);
  if (payment) return formCallbackSignature(fields, payment);
  // The payer's email is unknown, so only the formula without it remains.
  const card = textIn(fields, 'card');
  const fragment = card === '' ? undefined : fragmentOf(card.replace(/\*+/, ''));
  return { recipe: 'card6', values: { transId: textIn(fields, 'trans_id'), fragment } };
}

const labels: { readonly [name: string]: string } = {
  orderId: 'order number',
  paymentId: 'payment_id',
  transId: 'trans_id',
  amount: 'order_amount',
  currency: 'order_currency',
  description: 'order_description',
  status: 'status',
};

const labelOf = (name: string) => labels[name] ?? (name.startsWith('fields.') ? name.slice('fields.'.length) : null);

function othersOf(payment: Payment | null, fields: FormFields): Question['others'] {
  if (!payment) return {};
  return {
    payerEmail: [payment.payer.email ?? '', textIn(fields, 'customer_email')].filter((text) => text !== ''),
    paymentId: [payment.id],
    transId: [payment.attemptId ?? '', payment.id].filter((text) => text !== ''),
    orderId: [payment.orderNumber],
    amount: [payment.orderAmount],
    currency: [payment.currency],
    description: [payment.description],
  };
}

function notesOf(fields: FormFields, payment: Payment | null, isCheckout: boolean): string[] {
  const notes: string[] = [];
  const card = textIn(fields, 'card');
  if (!isCheckout && /^\d{6}\*+\d{4}$/.test(card)) {
    notes.push(
      `Only the digits of the card ${card} are signed: ${card.slice(0, 6)} and ${card.slice(-4)}, without the asterisks.`,
    );
  }
  if (payment && isCheckout) {
    const { orderNumber, currency, description } = payment;
    const wanted = { order_number: orderNumber, order_currency: currency, order_description: description };
    const differing = Object.entries(wanted).flatMap(([name, text]) => (textIn(fields, name) === text ? [] : [name]));
    if (differing.length > 0) notes.push(`Differs from the payment: ${differing.join(', ')}.`);
  }
  if (!payment) {
    notes.push('No payment of yours has this ID. The hash was checked with your newest key.');
    if (!isCheckout) notes.push('Formula 2 includes the email of the payment, which is unknown without the payment.');
  }
  return notes;
}

type WebhookResult = { right: boolean; title: string; text: string };

const wrong = (title: string, text: string): WebhookResult => ({ right: false, title, text });

/** The limits of the hash: it does not prove the status, and on Checkout the payer knows it. */
const unverified = {
  checkout: wrong(
    'The webhook headers are required to prove a payment',
    'The payer knows this hash: it is the one on success_url and cancel_url, and it does not cover the status. Verify webhook-signature or request the status of the payment before you deliver.',
  ),
  s2s: wrong(
    'The webhook headers are missing',
    'The hash alone does not cover every amount and status. Verify webhook-signature or request the status of the payment.',
  ),
};

/** Verifies the Standard Webhooks signature; null if its headers were not pasted. */
function webhookOf(headers: string, body: string, password: string): WebhookResult | null {
  const lines = headers.split('\n').map((line) => line.split(/:(.*)/s));
  const read = (wanted: string) => lines.find(([name]) => name?.trim().toLowerCase() === wanted)?.[1]?.trim();
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map(read);
  if (!id || !timestamp || !signature) return null;
  const sentAt = new Date(Number(timestamp) * 1000);
  if (Number.isNaN(sentAt.getTime())) {
    return wrong('webhook-timestamp is invalid', 'It must be the number of seconds since 1970.');
  }
  const expected = signWebhook(callbackSecret(password), id, sentAt, body)['webhook-signature'];
  if (!signature.split(' ').includes(expected)) {
    return wrong(
      'webhook-signature does not match',
      'It covers the bytes of the body as sent: paste them on one line, without decoding anything.',
    );
  }
  const text = `Sent ${sentAt.toISOString().replace('T', ' ').slice(0, 19)} UTC.`;
  return { right: true, title: 'webhook-signature is right', text };
}
