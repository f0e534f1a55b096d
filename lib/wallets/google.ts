// Decrypts Google Pay tokens of protocol ECv2 by Google's "Payment data cryptography": verifies the intermediate key,
// the message's signature and the MAC, then decrypts. ECv1 has no intermediate keys and is rejected.

import {
  createDecipheriv,
  createHmac,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
  timingSafeEqual,
  verify,
} from 'node:crypto';
import { orNull } from './ber.ts';
import { digitsIn, isObject, type Json, type JsonObject, readJsonObject, textIn } from './json.ts';
import { isOnP256, privateKeyOf, publicKeyOf, publicKeyOfPoint, WalletKeyError } from './p256.ts';
import { base64Bytes, base64In, type DecryptedCard, orReject, readToken, rejectOnThrow, rejectToken } from './token.ts';

/** How the payer was verified: PAN_ONLY with the card's number, CRYPTOGRAM_3DS with a device number and cryptogram. */
export type GooglePayAuthMethod = 'PAN_ONLY' | 'CRYPTOGRAM_3DS';

export type GooglePayOptions = {
  /** Our private keys; several while keys are replaced. */
  keys: readonly GooglePayKey[];
  /** Google's root keys of the merchant's environment. */
  roots: readonly GooglePayRoot[];
  /** The required recipient: `gateway:` and the gateway's name, or `merchant:` and Google's id of the merchant. */
  recipientId: string;
  /** The required merchant of the gateway; without it no token for a gateway is accepted. */
  gatewayMerchantId?: string;
  authMethods: readonly GooglePayAuthMethod[];
  now: Date;
};

/** The content of a Google Pay token. It contains no amount. */
export type DecryptedGooglePay = DecryptedCard & {
  /** PAN_ONLY with the number on the card; CRYPTOGRAM_3DS with the device number, and alone with a cryptogram. */
  authMethod: GooglePayAuthMethod;
  /** Google's id of the message. A token may be used once: store this when it is used. */
  messageId: string;
  /** When the token expires; a used `messageId` must be stored at least until then. */
  expires: Date;
};

const sender = 'Google';
const protocol = 'ECv2';
const textMax = 256;
const messageMax = 64 * 1024;

/** Google signs an intermediate key with each of its roots; there are only a few. */
const signaturesMax = 8;

/**
 * Decrypts a token: the text or object of `paymentMethodData.tokenizationData.token`. Throws WalletTokenError for a
 * token that is incomplete, not genuine, expired at `now`, of a disallowed method or for another recipient. The caller
 * must also check that `messageId` was never used.
 */
export function decryptGooglePay(token: string | object, options: GooglePayOptions): DecryptedGooglePay {
  return rejectOnThrow(() => {
    const outer = readToken(token);
    if (outer.get('protocolVersion') !== protocol) rejectToken('version');
    const signature = base64In(outer, 'signature') ?? rejectToken('token-fields');
    const message = textIn(outer, 'signedMessage', messageMax) ?? rejectToken('token-fields');
    const signer = intermediateKey(outer.get('intermediateSigningKey'), options);
    const parts = [sender, options.recipientId, protocol, message];
    if (!isSigned(parts, signer, signature)) rejectToken('message-signature');
    return paymentOf(decrypt(message, options.keys), options);
  });
}

// Steps 2 and 3 of Google's specification: an unexpired root has signed the key, and the key is not expired.
function intermediateKey(field: Json | undefined, { roots, now }: GooglePayOptions): KeyObject {
  if (!isObject(field)) return rejectToken('token-fields');
  const signedKey = textIn(field, 'signedKey', messageMax) ?? rejectToken('token-fields');
  const signatures = signaturesOf(field.get('signatures')) ?? rejectToken('token-fields');
  const valid = roots.filter(({ expires }) => now < expires);
  if (valid.length === 0) rejectToken('roots-expired');
  const parts = [sender, protocol, signedKey];
  if (!valid.some(({ key }) => signatures.some((signature) => isSigned(parts, key, signature)))) {
    rejectToken('intermediate-signature');
  }
  const signed = readJsonObject(signedKey, 2) ?? rejectToken('intermediate-key');
  const key =
    publicKeyOf(base64In(signed, 'keyValue') ?? rejectToken('intermediate-key')) ?? rejectToken('intermediate-key');
  const expires = timeIn(signed, 'keyExpiration') ?? rejectToken('intermediate-key');
  return now < expires ? key : rejectToken('intermediate-key-expired');
}

function signaturesOf(field: Json | undefined): Buffer[] | null {
  if (!Array.isArray(field) || field.length === 0 || field.length > signaturesMax) return null;
  if (new Set(field).size !== field.length) return null;
  const signatures = field.map((text) => (typeof text === 'string' ? base64Bytes(text) : null));
  return signatures.includes(null) ? null : (signatures as Buffer[]);
}

// Each part is preceded by its length in bytes: four bytes, little-endian.
function isSigned(parts: readonly string[], key: KeyObject, signature: Buffer): boolean {
  const framed = parts.flatMap((part) => {
    const bytes = Buffer.from(part, 'utf8');
    const length = Buffer.alloc(4);
    length.writeUInt32LE(bytes.length);
    return [length, bytes];
  });
  return verify('sha256', Buffer.concat(framed), key, signature);
}

function decrypt(message: string, keys: readonly GooglePayKey[]): JsonObject {
  const fields = readJsonObject(message, 2) ?? rejectToken('message-fields');
  const encrypted = base64In(fields, 'encryptedMessage') ?? rejectToken('message-fields');
  const point = base64In(fields, 'ephemeralPublicKey') ?? rejectToken('message-fields');
  const tag = base64In(fields, 'tag') ?? rejectToken('message-fields');
  if (tag.length !== 32) rejectToken('message-fields');
  const publicKey = publicKeyOfPoint(point) ?? rejectToken('ephemeral-key');
  // All keys are tried independent of matches, so that timing reveals nothing.
  const fitting = keys.flatMap((privateKey) => {
    const { cipherKey, macKey } = derived(point, publicKey, privateKey);
    const expected = createHmac('sha256', macKey).update(encrypted).digest();
    return timingSafeEqual(expected, tag) ? [cipherKey] : [];
  });
  const decipher = createDecipheriv('aes-256-ctr', fitting[0] ?? rejectToken('mac'), Buffer.alloc(16));
  const plain = Buffer.concat([decipher.update(encrypted), decipher.final()]);
  return readJsonObject(plain.toString('utf8'), 4) ?? rejectToken('payment-json');
}

function derived(point: Buffer, publicKey: KeyObject, privateKey: KeyObject) {
  const shared = orReject('ephemeral-key', () => diffieHellman({ privateKey, publicKey }));
  const keys = Buffer.from(hkdfSync('sha256', Buffer.concat([point, shared]), Buffer.alloc(32), sender, 64));
  return { cipherKey: keys.subarray(0, 32), macKey: keys.subarray(32) };
}

function paymentOf(payment: JsonObject, options: GooglePayOptions): DecryptedGooglePay {
  const { recipientId, gatewayMerchantId, authMethods, now } = options;
  const expires = timeIn(payment, 'messageExpiration') ?? rejectToken('payment-fields');
  if (now >= expires) rejectToken('message-expired');
  const isOurs = gatewayMerchantId !== undefined && payment.get('gatewayMerchantId') === gatewayMerchantId;
  if (recipientId.startsWith('gateway:') && !isOurs) rejectToken('gateway-merchant');
  if (payment.get('paymentMethod') !== 'CARD') rejectToken('payment-type');
  const messageId = textIn(payment, 'messageId', textMax) ?? rejectToken('payment-fields');
  const details = payment.get('paymentMethodDetails');
  if (!isObject(details)) return rejectToken('payment-fields');
  const authMethod = authMethods.find((method) => method === details.get('authMethod')) ?? rejectToken('auth-method');
  return { ...cardOf(details), authMethod, ...proofOf(details, authMethod), messageId, expires };
}

function cardOf(details: JsonObject) {
  const number = textIn(details, 'pan', 19);
  const [expMonth, expYear] = [digitsIn(details, 'expirationMonth'), digitsIn(details, 'expirationYear')].map(Number);
  if (number === null || !/^\d{12,19}$/.test(number) || !expMonth || !expYear) return rejectToken('payment-fields');
  if (expMonth > 12 || expYear < 2000 || expYear > 2099) rejectToken('payment-fields');
  return { number, expMonth, expYear };
}

function proofOf(details: JsonObject, authMethod: GooglePayAuthMethod) {
  if (authMethod === 'PAN_ONLY') return {};
  const cryptogram = textIn(details, 'cryptogram', textMax);
  if (cryptogram === null || !base64Bytes(cryptogram)) return rejectToken('payment-fields');
  const eci = details.get('eciIndicator');
  if (eci === undefined || eci === null || eci === '') return { cryptogram };
  return { cryptogram, eci: textIn(details, 'eciIndicator', 8) ?? rejectToken('payment-fields') };
}

/** A time in Google's format: milliseconds since 1970 as text. */
function timeIn(object: JsonObject, name: string): Date | null {
  const text = textIn(object, name, 15);
  return text !== null && /^\d+$/.test(text) ? new Date(Number(text)) : null;
}

/** A merchant's or gateway's private key, parsed once and not for each token, as are Google's root keys. */
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
