/** Google Pay keys for display: the public half in the format that Google registers, and its fingerprint. */
import { createHash, createPublicKey } from 'node:crypto';
import { type GooglePayKey, makePrivateKey, readGooglePayKey } from '../wallets/index.ts';

/** The public half as an uncompressed point in Base64, the format of payment requests and of Google's console. */
export function publicPoint(key: GooglePayKey): string {
  const { x = '', y = '' } = createPublicKey(key).export({ format: 'jwk' });
  const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
  return point.toString('base64');
}

/** SHA-256 of the public half in hex. Throws WalletKeyError for a text that is not a P-256 key. */
export function describeKey(privateKey: string): { fingerprint: string; publicKey: string } {
  const key = readGooglePayKey(privateKey);
  const info = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return { fingerprint: createHash('sha256').update(info).digest('hex'), publicKey: publicPoint(key) };
}

/** A private key as PKCS #8 PEM, from any supported format. Throws WalletKeyError. */
export function normalizeKey(text: string): string {
  return readGooglePayKey(text.trim()).export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** A new private key in PEM. */
export async function generateKey(): Promise<string> {
  return (await makePrivateKey('EC')).export({ format: 'pem', type: 'pkcs8' }).toString();
}
