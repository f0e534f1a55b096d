// Plays Apple's developer account: issues certificates for the merchant identifiers in certificate requests.
import { createPublicKey, type KeyObject } from 'node:crypto';
import { appleRootKey } from './wallet-keys.ts';
import { issue, issueMerchant, type KeyPair, pemOf } from './wallet-sealers/certificates.ts';

/** The DER prefixes of a P-256 public key and of a 2048-bit RSA public key, and the total length of each in bytes. */
const infos = [
  [Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'), 91],
  [Buffer.from('30820122300d06092a864886f70d01010105000382010f00', 'hex'), 294],
] as const;

/** The public key in a PEM certificate request. */
export function keyIn(request: string): KeyObject {
  const der = Buffer.from(request.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  for (const [head, length] of infos) {
    const at = der.indexOf(head);
    if (at >= 0) return createPublicKey({ key: der.subarray(at, at + length), format: 'der', type: 'spki' });
  }
  throw new Error('the request contains neither a P-256 key nor an RSA key');
}

const pairOf = (publicKey: KeyObject): KeyPair => ({ publicKey, privateKey: appleRootKey });

/** Issues a payment processing certificate for a request, in DER. */
export function answerRequest(request: string, merchantIdentifier: string): Buffer {
  return issueMerchant(merchantIdentifier, pairOf(keyIn(request))).certificate;
}

/** Issues an identity certificate for a request, in PEM. */
export function identityFor(request: string, merchantIdentifier: string, until?: string): string {
  const root = issue({ name: 'Florin test root', keys: pairOf(createPublicKey(appleRootKey)) });
  return pemOf(issue({ name: merchantIdentifier, keys: pairOf(keyIn(request)), issuer: root, until }).certificate);
}
