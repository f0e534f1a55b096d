/**
 * The strong signature of a request: HMAC-SHA256 over timestamp, path and raw body. The contract's hash joins some
 * fields without separators and never expires; this one covers every byte and the address, and expires after minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers, as they appear in errors and documentation. */
export const timestampHeader = 'X-Florin-Timestamp';
export const signatureHeader = 'X-Florin-Signature';

/** The maximum difference between the timestamp and the service's clock, in either direction. */
export const signatureSeconds = 300;

/** The signed content: the path, and the bytes of the body; for a GET, the query in place of the body. */
export type SignedRequest = { path: string; body: Uint8Array };

/** The bytes of the signature under a merchant's password. */
export function requestMac(password: string, timestamp: string, { path, body }: SignedRequest): Buffer {
  return createHmac('sha256', password).update(`${timestamp}.${path}.`).update(body).digest();
}

/** The error of a signature: the header and a sentence. */
export type SignatureError = { path: string; text: string };

/** A valid signature: its bytes, which may be used once, and when it expires. */
export type ValidSignature = { mac: Buffer; goodUntil: Date };

/** Whether the two headers sign the request. The text for a missing header is the contract's for a blank field. */
export function checkSignature(
  headers: { timestamp: string | null; signature: string | null },
  signed: SignedRequest | undefined,
  password: string,
  now: Date,
): ValidSignature | SignatureError {
  const { timestamp, signature } = headers;
  if (!timestamp) return { path: timestampHeader, text: 'This value should not be blank.' };
  if (!signature) return { path: signatureHeader, text: 'This value should not be blank.' };
  if (!/^\d{10}(\.\d{1,6})?$/.test(timestamp)) {
    return { path: timestampHeader, text: 'This value is not a Unix time in seconds.' };
  }
  const sentMs = Number(timestamp) * 1000;
  if (Math.abs(now.getTime() - sentMs) > signatureSeconds * 1000) {
    return { path: timestampHeader, text: `This value is more than ${signatureSeconds} seconds from now.` };
  }
  const hex = /^v1=([0-9a-f]{64})$/i.exec(signature)?.[1];
  const mac = signed && requestMac(password, timestamp, signed);
  if (!hex || !mac || !timingSafeEqual(Buffer.from(hex, 'hex'), mac)) {
    return { path: signatureHeader, text: 'This value is not valid.' };
  }
  return { mac, goodUntil: new Date(sentMs + signatureSeconds * 1000) };
}
