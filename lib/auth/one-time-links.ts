/** One-time links: only a digest of the token is stored. */
import { createHash, randomBytes } from 'node:crypto';

/** A new token of 256 random bits, for a link. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** The stored digest of a token. */
export function tokenDigest(token: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(token).digest());
}
