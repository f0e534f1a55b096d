// The signatures of Checkout: sha1(hex(digest(upper(values and password)))) over the texts as they are sent. Browsers
// and React Native have no MD5, so all hashing is plain JavaScript.

import { hmac } from '@noble/hashes/hmac.js';
import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { CallName, Order } from './contract.ts';
import { asObject, throwArgumentError } from './errors.ts';

/** The inner digest, as set in the merchant's protocol mapping. */
export type Digest = 'md5' | 'sha256';

/** A merchant's secrets. `digest` is md5 unless the merchant's protocol mapping sets another. */
export type Credentials = {
  merchantKey: string;
  password: string;
  digest?: Digest;
  /** Also signs the whole request, for mappings that require it. The clock may be off by five minutes at most. */
  strongSignature?: boolean;
};

export type Body = Record<string, unknown>;

// The signed fields in order; if the first name of a pair is absent, the second is used.
const signedFields: Readonly<Record<CallName, readonly (readonly string[])[]>> = {
  session: [['order.number'], ['order.amount'], ['order.currency'], ['order.description']],
  status: [['payment_id', 'order_id']],
  refund: [['payment_id'], ['amount']],
  void: [['payment_id']],
};

/** The body with `merchant_key` and `hash`. Signed values are texts, else `argument`: numbers have no unique spelling. */
export function signRequest(operation: CallName, body: Body, by: Credentials): Body {
  const values = signedFields[operation].map((names) => {
    const name = names.find((each) => memberOf(body, each) !== undefined);
    const value = name === undefined ? '' : memberOf(body, name);
    return typeof value === 'string' ? value : throwArgumentError(`${name} must be a text.`);
  });
  return { ...body, merchant_key: by.merchantKey, hash: hashOf(values, by) };
}

let further = Math.floor(Math.random() * 1000);

/** A signature is accepted once: three digits that distinguish a thousand equal bodies within a millisecond. */
function furtherDigits(): string {
  further = (further + 1) % 1000;
  return String(further).padStart(3, '0');
}

/** The strong signature of a request, if enabled: an HMAC over the time, the path and every byte of the body. */
export function signatureHeaders(
  { password, strongSignature }: Partial<Credentials>,
  address: string,
  text: string,
): Record<string, string> {
  if (!strongSignature || password === undefined) return {};
  const timestamp = (Date.now() / 1000).toFixed(3) + furtherDigits();
  const path = address.replace(/^https?:\/\/[^/]*/i, '');
  const mac = hmac(sha256, utf8(password), utf8(`${timestamp}.${path}.${text}`));
  return { 'x-florin-timestamp': timestamp, 'x-florin-signature': `v1=${hex(mac)}` };
}

/** The expected hash of a return address. */
export function hashOfReturn(paymentId: string, order: Order, by: Pick<Credentials, 'password' | 'digest'>): string {
  return hashOf([paymentId, order.number, order.amount, order.currency, order.description], by);
}

function hashOf(values: readonly string[], { password, digest = 'md5' }: Pick<Credentials, 'password' | 'digest'>) {
  const inner = digest === 'sha256' ? sha256 : md5;
  return hex(sha1(utf8(hex(inner(utf8(upper(values.join('') + password)))))));
}

// Only a to z: the upper case of other characters depends on the language and its version.
function upper(text: string): string {
  return text.replace(/[a-z]+/g, (lowercase) => lowercase.toUpperCase());
}

const utf8 = (text: string) => new TextEncoder().encode(text);

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function memberOf(body: Body, path: string): unknown {
  const value = path.split('.').reduce<unknown>((inner, name) => asObject(inner)?.[name], body);
  return value === null ? undefined : value;
}
