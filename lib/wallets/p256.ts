// Keys on the curve P-256, which both wallets use, and the error of invalid settings. Public keys are always parsed
// as a whole SubjectPublicKeyInfo, which rejects points that are not on the curve.

import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { orNull } from './ber.ts';

/** SubjectPublicKeyInfo of P-256 up to the point: id-ecPublicKey, prime256v1, a bit string of 65 bytes. */
const prefix = Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex');

const pointBytes = 65;

/** Whether the key, public or private, is on P-256. */
export function isOnP256(key: KeyObject): boolean {
  return key.asymmetricKeyType === 'ec' && key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
}

/** The private key in PEM or, for any other file, in the bytes of PKCS #8; null if there is none. */
export function privateKeyOf(file: string | Buffer, der: Buffer): KeyObject | null {
  return orNull(() =>
    createPrivateKey(file.includes('-----BEGIN ') ? file : { key: der, format: 'der', type: 'pkcs8' }),
  );
}

/** The public key of a SubjectPublicKeyInfo with an uncompressed point on P-256; null for any other bytes. */
export function publicKeyOf(info: Buffer): KeyObject | null {
  const point = info.subarray(prefix.length);
  if (!info.subarray(0, prefix.length).equals(prefix) || point.length !== pointBytes || point[0] !== 4) return null;
  return orNull(() => createPublicKey({ key: info, format: 'der', type: 'spki' }));
}

/** The public key of an uncompressed point on P-256; null for any other bytes. */
export function publicKeyOfPoint(point: Buffer): KeyObject | null {
  return publicKeyOf(Buffer.concat([prefix, point]));
}

/** The invalid part of a wallet's settings, and why, as a sentence: for the merchant's staff, not for payers. */
export class WalletKeyError extends Error {
  readonly part: 'certificate' | 'privateKey' | 'roots';

  constructor(part: WalletKeyError['part'], message: string) {
    super(message);
    this.name = 'WalletKeyError';
    this.part = part;
  }
}
