/**
 * The strong signature of a request: HMAC-SHA256 over timestamp, path and raw body. The contract's own hash joins fields
 * without separators, covers some of them and holds for ever; this one covers every byte, names the address that it is
 * for, and is good for minutes.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

/** The headers, as they are written in refusals and documentation. */
export const timestampHeader = 'X-Florin-Timestamp';
export const signatureHeader = 'X-Florin-Signature';

/** How far the timestamp may lie from the service's clock, in either direction. */
export const signatureSeconds = 300;

/** What is signed: where it was sent, and the bytes of its body; a GET has its query in the place of a body. */
export type SignedRequest = { path: string; body: Uint8Array };

/** The bytes of the signature under a merchant's password. */
export function requestMac(password: string, timestamp: string, { path, body }: SignedRequest): Buffer {
  return createHmac('sha256', password).update(`${timestamp}.${path}.`).update(body).digest();
}

/** What is wrong with a signature: the header to blame and a sentence. */
export type SignatureError = { path: string; text: string };

/** A signature that holds: its bytes, to be used once, and when it is too old for anybody. */
export type ValidSignature = { mac: Buffer; goodUntil: Date };

/** Whether the two headers sign the request. The text of a missing header is the contract's for a blank field. */
export function checkSignature(
  given: { timestamp: string | null; signature: string | null },
  signed: SignedRequest | undefined,
  password: string,
  now: Date,
): ValidSignature | SignatureError {
  const { timestamp, signature } = given;
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
