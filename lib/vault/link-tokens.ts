/** Tokens of links: an id and its HMAC, which cannot be made without the key. */
import { timingSafeEqual } from 'node:crypto';
import { isUuid } from '../core/ids.ts';
import { linkHmac } from './seal.ts';

/**
 * What a token is for: the payment's page, the header of hosted fields, or the return of a transaction's payer from a
 * provider.
 */
type LinkPurpose = 'page' | 'fields' | 'return';

/** A token for a link or a `Token` header: the id of a payment or transaction and its HMAC, verified without a query. */
export async function createLinkToken(id: string, purpose: LinkPurpose): Promise<string> {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, await macOf(id, purpose)]).toString('base64url');
}

/** The id of a token, or null for a forged or malformed one. */
export async function verifyLinkToken(token: string, purpose: LinkPurpose): Promise<string | null> {
  const bytes = Buffer.from(token, 'base64url');
  if (bytes.length !== 32 || bytes.toString('base64url') !== token) return null;
  const hex = bytes.toString('hex', 0, 16);
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  if (!isUuid(id)) return null;
  return timingSafeEqual(bytes.subarray(16), await macOf(id, purpose)) ? id : null;
}

async function macOf(id: string, purpose: LinkPurpose): Promise<Buffer> {
  return (await linkHmac(`${purpose}:${id}`)).subarray(0, 16);
}
