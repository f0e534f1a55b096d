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

/** What the formulas of S2S CARD are made of; an absent one is left out. */
export type CardValues = {
  email?: string;
  /** The first 6 and the last 4 digits, or a card token in their place. */
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
  // Of UTF-8, only the letters of ASCII are single bytes between a and z.
  const upperBytes = Buffer.concat(input).map((byte) => (byte >= 0x61 && byte <= 0x7a ? byte - 0x20 : byte));
  return createHash(by.digest).update(upperBytes).digest('hex');
}

function reversed(text: string): Buffer {
  return Buffer.from(text).reverse();
}

/** The fragment of a card number, masked or whole. */
export function fragmentOf(number: string): string {
  const digits = number.replaceAll(' ', '');
  return digits.slice(0, 6) + digits.slice(-4);
}
