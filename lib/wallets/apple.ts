// Decrypts Apple Pay tokens (EC_v1 and RSA_v1) by Apple's Payment Token Format Reference: verifies the signature, finds
// the key, then decrypts. Nothing is decrypted that Apple has not signed.

import {
  constants,
  createDecipheriv,
  createHash,
  diffieHellman,
  type KeyObject,
  privateDecrypt,
  type X509Certificate,
} from 'node:crypto';
import { currencies } from '../core/currencies.ts';
import { daysInMonth } from '../core/dates.ts';
import type { Money } from '../core/money.ts';
import { type ApplePayKey, readApplePayRoots } from './apple-key.ts';
import { verifyAppleSignature } from './apple-signature.ts';
import { digitsIn, isObject, type JsonObject, readJsonObject, textIn } from './json.ts';
import { publicKeyOf } from './p256.ts';
import {
  base64Bytes,
  base64In,
  type DecryptedCard,
  hex32,
  orReject,
  readToken,
  rejectOnThrow,
  rejectToken,
} from './token.ts';

export type ApplePayOptions = {
  /** The merchant's keys; several while certificates are replaced. */
  keys: readonly ApplePayKey[];
  now: Date;
  /** The trusted roots; Apple Root CA - G3 by default. */
  roots?: readonly X509Certificate[];
  /** The maximum difference between `now` and the signing time; 5 minutes by default. */
  toleranceSeconds?: number;
  /** The expected SHA-256 of the payment request's application data in hex, if known. */
  applicationData?: string;
};

/** The content of an Apple Pay token. The card number is the device's, not the one on the card. */
export type DecryptedApplePay = DecryptedCard & {
  /** Numeric ISO 4217 code, such as '978'. */
  currencyCode: string;
  amountMinor: bigint;
  holder?: string;
  /** The online payment cryptogram of 3-D Secure. */
  cryptogram: string;
  /** 64 lower-case hexadecimal digits, signed by Apple. A token may be used once: store this when it is used. */
  transactionId: string;
  /** SHA-256 of the payment request's application data in lower-case hex, if the token contains it. */
  applicationData?: string;
};

type EncryptedToken = ReturnType<typeof readEncryptedToken>;

const toleranceDefaultSeconds = 300;
const tagBytes = 16;
const textMax = 256;

// Parsed once: parsing a certificate costs more than the checks.
const appleRoots = readApplePayRoots();

/**
 * Decrypts a token: the text or object of a payment token (`{ paymentData, ... }`) or of its payment data alone. Throws
 * WalletTokenError for a token that is incomplete, not genuine, not fresh or not encrypted for one of the keys. The
 * caller must also check the amount (isForOrder) and that `transactionId` was never used.
 */
export function decryptApplePay(token: string | object, options: ApplePayOptions): DecryptedApplePay {
  return rejectOnThrow(() => {
    const sealed = readEncryptedToken(readToken(token));
    const { key, data, transactionId, applicationData } = sealed;
    const content = Buffer.concat([key, data, transactionId, applicationData ?? Buffer.alloc(0)]);
    const { now, roots = appleRoots, toleranceSeconds = toleranceDefaultSeconds } = options;
    verifyAppleSignature(sealed.signature, content, { version: sealed.version, roots, now, toleranceSeconds });
    const expected = options.applicationData?.toLowerCase();
    if (expected !== undefined && applicationData?.toString('hex') !== expected) rejectToken('application-data');
    return {
      ...paymentOf(decrypt(sealed, options.keys)),
      transactionId: transactionId.toString('hex'),
      ...(applicationData && { applicationData: applicationData.toString('hex') }),
    };
  });
}

/** Whether a token is for exactly this amount and currency. */
export function isForOrder(decrypted: DecryptedApplePay, order: Money): boolean {
  const numeric = Object.hasOwn(currencies, order.currency) ? currencies[order.currency]?.numeric : undefined;
  return decrypted.currencyCode === numeric && decrypted.amountMinor === order.minor;
}

function readEncryptedToken(token: JsonObject) {
  const paymentData = token.has('paymentData') ? token.get('paymentData') : token;
  if (!isObject(paymentData)) return rejectToken('token-fields');
  const named = paymentData.get('version');
  const version = (['EC_v1', 'RSA_v1'] as const).find((known) => known === named) ?? rejectToken('version');
  const header = paymentData.get('header');
  const signature = base64In(paymentData, 'signature') ?? rejectToken('token-fields');
  const data = base64In(paymentData, 'data') ?? rejectToken('token-fields');
  if (data.length <= tagBytes) rejectToken('data-length');
  if (!isObject(header)) return rejectToken('header-fields');
  return { version, data, signature, ...readHeader(header, version) };
}

// The signature covers concatenated bytes without separators, so every part needs a fixed length: otherwise bytes could
// move between parts, and a used transaction could return with another id.
function readHeader(header: JsonObject, version: ApplePayKey['version']) {
  // The ephemeral public key of EC_v1, or the wrapped key of RSA_v1.
  const key = base64In(header, version === 'EC_v1' ? 'ephemeralPublicKey' : 'wrappedKey');
  const publicKeyHash = base64In(header, 'publicKeyHash');
  const transactionId = hex32(textIn(header, 'transactionId', textMax) ?? '');
  const applicationData = header.has('applicationData')
    ? (hex32(textIn(header, 'applicationData', textMax) ?? '') ?? rejectToken('header-fields'))
    : null;
  if (key === null || publicKeyHash?.length !== 32 || transactionId === null) return rejectToken('header-fields');
  return { key, publicKeyHash, transactionId, applicationData };
}

function decrypt(sealed: EncryptedToken, keys: readonly ApplePayKey[]): JsonObject {
  const key = keys.find(
    ({ version, publicKeyHash }) => version === sealed.version && publicKeyHash.equals(sealed.publicKeyHash),
  );
  if (!key) return rejectToken('public-key-hash');
  const secret = sealed.version === 'EC_v1' ? agreedKey(sealed, key) : unwrappedKey(sealed, key.privateKey);
  const plain = orReject('decryption', () => {
    const name = sealed.version === 'EC_v1' ? 'aes-256-gcm' : 'aes-128-gcm';
    const decipher = createDecipheriv(name, secret, Buffer.alloc(16), { authTagLength: tagBytes });
    decipher.setAuthTag(sealed.data.subarray(-tagBytes));
    return Buffer.concat([decipher.update(sealed.data.subarray(0, -tagBytes)), decipher.final()]);
  });
  return readJsonObject(plain.toString('utf8'), 4) ?? rejectToken('payment-json');
}

// ECDH, then one round of the key derivation of NIST SP 800-56A (5.8.1) with SHA-256.
function agreedKey(sealed: EncryptedToken, { privateKey, merchantHash }: ApplePayKey): Buffer {
  const publicKey = publicKeyOf(sealed.key) ?? rejectToken('ephemeral-key');
  const shared = orReject('ephemeral-key', () => diffieHellman({ privateKey, publicKey }));
  return createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(shared)
    .update('\x0did-aes256-GCMApple', 'latin1')
    .update(merchantHash)
    .digest();
}

function unwrappedKey(sealed: EncryptedToken, privateKey: KeyObject): Buffer {
  const padding = constants.RSA_PKCS1_OAEP_PADDING;
  const key = orReject('wrapped-key', () =>
    privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, sealed.key),
  );
  return key.length === 16 ? key : rejectToken('wrapped-key');
}

function paymentOf(payment: JsonObject) {
  const type = payment.get('paymentDataType');
  // EMV data is used in China only and has no 3-D Secure cryptogram.
  if (type !== '3DSecure') return rejectToken('payment-type');
  const number = textIn(payment, 'applicationPrimaryAccountNumber', 19);
  const expiry = expiryOf(textIn(payment, 'applicationExpirationDate', 6));
  const currencyCode = textIn(payment, 'currencyCode', 3);
  const amount = digitsIn(payment, 'transactionAmount');
  const device = textIn(payment, 'deviceManufacturerIdentifier', textMax);
  const detail = payment.get('paymentData');
  const cryptogram = isObject(detail) ? textIn(detail, 'onlinePaymentCryptogram', textMax) : null;
  const isCard = number !== null && /^\d{12,19}$/.test(number) && expiry !== null;
  const isAmount = currencyCode !== null && /^\d{3}$/.test(currencyCode) && amount !== null;
  if (!isCard || !isAmount || device === null || !/^[0-9a-f]+$/i.test(device)) return rejectToken('payment-fields');
  if (!isObject(detail) || cryptogram === null || !base64Bytes(cryptogram)) return rejectToken('payment-fields');
  return {
    number,
    ...expiry,
    currencyCode,
    amountMinor: BigInt(amount),
    ...optional('holder', payment, 'cardholderName'),
    cryptogram,
    ...optional('eci', detail, 'eciIndicator'),
  };
}

// An empty value counts as absent; a value that is not text is an error.
function optional<Key extends string>(key: Key, object: JsonObject, name: string): { [key in Key]?: string } {
  const value = object.get(name);
  if (value === undefined || value === '' || value === null) return {};
  return { [key]: textIn(object, name, textMax) ?? rejectToken('payment-fields') } as { [key in Key]?: string };
}

// YYMMDD.
function expiryOf(text: string | null): { expMonth: number; expYear: number } | null {
  const match = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '');
  if (!match) return null;
  const [expYear, expMonth, day] = [2000 + Number(match[1]), Number(match[2]), Number(match[3])];
  if (expMonth < 1 || expMonth > 12 || day < 1 || day > daysInMonth(expYear, expMonth)) return null;
  return { expMonth, expYear };
}
