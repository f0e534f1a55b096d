// A merchant's or gateway's private keys for Google Pay tokens, and the root keys that Google publishes (one list each
// for TEST and PRODUCTION). Both are parsed once, not for each token.

import { createPublicKey, type KeyObject } from 'node:crypto';
import { orNull } from './ber.ts';
import { isObject, readJsonObject, textIn } from './json.ts';
import { isOnP256, privateKeyOf, publicKeyOf, WalletKeyError } from './p256.ts';
import { base64In } from './token.ts';

export type GooglePayKey = KeyObject;

/** A key with which Google signs ECv2 intermediate keys. */
export type GooglePayRoot = { readonly key: KeyObject; readonly expires: Date };

const rootsBytesMax = 64 * 1024;

/** Reads a private key: PEM, or Base64 of PKCS #8. Throws WalletKeyError if it is not on P-256. */
export function readGooglePayKey(text: string): GooglePayKey {
  const key = privateKeyOf(text, Buffer.from(text, 'base64'));
  // A key without a public part would fail only at its first use.
  if (key && isOnP256(key) && orNull(() => createPublicKey(key))) return key;
  throw new WalletKeyError('privateKey', 'The private key is not an unencrypted private key on P-256.');
}

/** Reads the ECv2 keys of Google's list of root signing keys. Throws WalletKeyError for an invalid list. */
export function readGooglePayRoots(text: string): GooglePayRoot[] {
  const list = text.length <= rootsBytesMax ? readJsonObject(text, 4)?.get('keys') : null;
  if (!Array.isArray(list)) throw new WalletKeyError('roots', 'The root keys are not a list of keys in JSON.');
  const roots = list.flatMap((entry): GooglePayRoot[] => {
    if (!isObject(entry) || entry.get('protocolVersion') !== 'ECv2') return [];
    const key = publicKeyOf(base64In(entry, 'keyValue') ?? Buffer.alloc(0));
    const expires = textIn(entry, 'keyExpiration', 15);
    if (!key || expires === null || !/^\d+$/.test(expires)) {
      throw new WalletKeyError('roots', 'A root key of ECv2 has no readable keyValue or keyExpiration.');
    }
    return [{ key, expires: new Date(Number(expires)) }];
  });
  if (roots.length === 0) throw new WalletKeyError('roots', 'The list has no root key of ECv2.');
  return roots;
}
