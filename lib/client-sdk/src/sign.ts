// The signatures of Checkout: sha1(hex(digest(upper(values and password)))) over the texts as they are sent. Browsers
// and React Native have no MD5 of their own, so all hashing is plain JavaScript and the same everywhere.

import { md5, sha1 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import type { Operation, Order } from './contract';
import { asObject, refuseArgument } from './errors';

/** The inner digest, as the merchant's protocol mapping has it. */
export type Digest = 'md5' | 'sha256';

/** A merchant's secrets. `digest` is md5 unless the merchant's protocol mapping says otherwise. */
export type Credentials = { merchantKey: string; password: string; digest?: Digest };

export type Body = Record<string, unknown>;

// The signed fields in their order; the second name of a pair stands in where the first is absent.
const signedFields: Readonly<Record<Operation, readonly (readonly string[])[]>> = {
  session: [['order.number'], ['order.amount'], ['order.currency'], ['order.description']],
  status: [['payment_id', 'order_id']],
  refund: [['payment_id'], ['amount']],
  void: [['payment_id']],
};

/**
 * The body with `merchant_key` and `hash`. A signed value that is no text fails with `argument`: a number has no
 * spelling that both sides could agree on.
 */
export function signRequest(operation: Operation, body: Body, by: Credentials): Body {
  const values = signedFields[operation].map((names) => {
    const name = names.find((each) => memberOf(body, each) !== undefined);
    const value = name === undefined ? '' : memberOf(body, name);
    return typeof value === 'string' ? value : refuseArgument(`${name} is sent as a text.`);
  });
  return { ...body, merchant_key: by.merchantKey, hash: hashOf(values, by) };
}

/** What the hash of a return address has to be. */
export function hashOfReturn(paymentId: string, order: Order, by: Pick<Credentials, 'password' | 'digest'>): string {
  return hashOf([paymentId, order.number, order.amount, order.currency, order.description], by);
}

function hashOf(values: readonly string[], { password, digest = 'md5' }: Pick<Credentials, 'password' | 'digest'>) {
  const inner = digest === 'sha256' ? sha256 : md5;
  return hex(sha1(utf8(hex(inner(utf8(upper(values.join('') + password)))))));
}

// Only a to z: what upper case makes of other letters depends on the language and its version.
function upper(text: string): string {
  return text.replace(/[a-z]+/g, (letters) => letters.toUpperCase());
}

const utf8 = (text: string) => new TextEncoder().encode(text);

const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

function memberOf(body: Body, path: string): unknown {
  const value = path.split('.').reduce<unknown>((inner, name) => asObject(inner)?.[name], body);
  return value === null ? undefined : value;
}
