// The merchant's side of the signatures, written from the contract alone (interface.md, Authentication; protocol.md 1
// and 7). If the server's formulas differ from these, one of the two is wrong.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { Credentials } from './merchants.ts';

/** Uppercases a to z only, like a server in the C locale; `full` uppercases every letter. */
function upper(text: string, full = false): string {
  return full ? text.toUpperCase() : text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

function hex(algorithm: 'md5' | 'sha1' | 'sha256', text: string): string {
  return createHash(algorithm).update(text, 'utf8').digest('hex');
}

/** Checkout: SHA1 over the hex text of the digest of the uppercased values and password. */
export function signCheckout(values: unknown[], by: Credentials, full = false): string {
  // Only texts can be signed; other values are omitted like absent ones.
  const input = values.filter((value) => typeof value === 'string').join('') + by.password;
  return hex('sha1', hex(by.digest, upper(input, full)));
}

export type Order = { number: string; amount: string; currency: string; description: string };

/** The hash of a session request. */
export function signOrder(order: Partial<Order>, by: Credentials, full = false): string {
  return signCheckout([order.number, order.amount, order.currency, order.description], by, full);
}

/** The expected hash of a Checkout callback, or of the query of a return address. */
export function signNotice(paymentId: string, order: Order, by: Credentials): string {
  return signCheckout([paymentId, order.number, order.amount, order.currency, order.description], by);
}

/** Whether the Checkout callback with these fields has the correct hash. */
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
 * Whether a delivery has a Standard Webhooks signature: HMAC-SHA256 of `id.timestamp.body` in any of the
 * space-separated `v1,` entries.
 */
export function isSignedWebhook(headers: Record<string, string>, body: string, secret: Buffer): boolean {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', secret).update(signed).digest();
  return (headers['webhook-signature'] ?? '').split(' ').some((entry) => {
    const [version, value = ''] = entry.split(',');
    const signature = Buffer.from(value, 'base64');
    return version === 'v1' && signature.length === wanted.length && timingSafeEqual(signature, wanted);
  });
}

/** The values in the S2S CARD formulas; absent ones are omitted. */
export type CardValues = {
  email?: string;
  /** The first 6 and the last 4 digits, or a card token in place of the number. */
  card?: string;
  transId?: string;
  orderId?: string;
  scheduleId?: string;
};

/** The hash by formula 1 to 8 of S2S CARD (protocol.md 1). */
export function signCard(formula: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8, values: CardValues, by: Credentials): string {
  const { email = '', card = '', transId = '', orderId = '', scheduleId = '' } = values;
  const input = {
    1: [reversed(email), by.password, reversed(card)],
    2: [reversed(email), by.password, transId, reversed(card)],
    3: [reversed(by.password)],
    4: [reversed(scheduleId + by.password)],
    5: [by.password, reversed(card)],
    6: [by.password, transId, reversed(card)],
    7: [reversed(email), by.password, orderId, reversed(card)],
    8: [reversed(email), by.password],
  }[formula].map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
  // In UTF-8 only ASCII letters are single bytes between a and z.
  const upperBytes = Buffer.concat(input).map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte));
  return createHash(by.digest).update(upperBytes).digest('hex');
}

function reversed(text: string): Buffer {
  return Buffer.from(text).reverse();
}

/** The signed part of a card number, masked or whole. */
export function fragmentOf(number: string): string {
  const digits = number.replaceAll(' ', '');
  return digits.slice(0, 6) + digits.slice(-4);
}
