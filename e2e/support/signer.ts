// The merchant's half of the signatures, written from the contract alone: if the server's formulas and these ever part,
// one of the two has misread it. (Interface.md, Authentication; protocol.md 1 and 7.)
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from './merchants';

/** Uppercases a to z only, as a server in the C locale does; `full` uppercases every letter. */
function upper(text: string, full = false): string {
  return full ? text.toUpperCase() : text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

function hex(algorithm: 'md5' | 'sha1' | 'sha256', text: string): string {
  return createHash(algorithm).update(text, 'utf8').digest('hex');
}

/** Checkout: SHA1 over the hex text of the digest of the uppercased values and password. */
export function signCheckout(values: unknown[], by: Credentials, full = false): string {
  // Whatever is no text cannot be signed, and is left out like an absent one.
  const input = values.filter((value) => typeof value === 'string').join('') + by.password;
  return hex('sha1', hex(by.digest, upper(input, full)));
}

export type Order = { number: string; amount: string; currency: string; description: string };

/** The hash of a session request. */
export function signOrder(order: Partial<Order>, by: Credentials, full = false): string {
  return signCheckout([order.number, order.amount, order.currency, order.description], by, full);
}

/** The hash that a Checkout callback, or the query of a return address, has to carry. */
export function signNotice(paymentId: string, order: Order, by: Credentials): string {
  return signCheckout([paymentId, order.number, order.amount, order.currency, order.description], by);
}

/** Whether the Checkout callback with these fields carries the right hash. */
export function isSignedCallback(fields: Record<string, string>, by: Credentials): boolean {
  const { payment_id = '', order_number = '', order_amount = '', order_currency = '', order_description = '' } = fields;
  const order = {
    number: order_number,
    amount: order_amount,
    currency: order_currency,
    description: order_description,
  };
  return (fields.hash ?? '').toLowerCase() === signNotice(payment_id, order, by);
}

/**
 * Whether a delivery carries a signature of the Standard Webhooks specification: HMAC-SHA256 over
 * `id.timestamp.body`, any of the space-separated `v1,` entries.
 */
export function isSignedWebhook(headers: Record<string, string>, body: string, secret: Buffer): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', secret).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, value = ''] = entry.split(',');
    const given = Buffer.from(value, 'base64');
    return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
  });
}
