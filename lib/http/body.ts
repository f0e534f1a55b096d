// What both decoders of request bodies share: reading no more bytes than allowed, and the names and
// texts that no body may carry because something further in could not hold them.

import { throwApiError } from '../core/errors';
import { signatureHeader } from '../core/request-signature';

/** Names that mean something to objects themselves; a body that has one is refused, not repaired. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** Whether the database can store the text: it has no place for NUL or for half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** Bytes that nobody could make sense of, for as long as their request is known to anybody. */
const rejectedBodies = new WeakMap<Request, Uint8Array>();

/** What was read of a body that was refused; undefined for one that was too large or broke off. */
export function rejectedBytes(request: Request): Uint8Array | undefined {
  return rejectedBodies.get(request);
}

/** The bytes of a body that came with a signature over them, for as long as their request is known to anybody. */
const signedBodies = new WeakMap<Request, Uint8Array>();

/** The raw body of a request with a strong signature; undefined for one without. */
export function signedBytes(request: Request): Uint8Array | undefined {
  return signedBodies.get(request);
}

/** Decodes what was read, and remembers the bytes of a body that is refused. */
export async function decodeBody<T>(request: Request, bytes: Uint8Array, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (thrown) {
    rejectedBodies.set(request, bytes);
    throw thrown;
  }
}

/**
 * Reads a body whole, at most `bytesMax` bytes. A longer one is refused (`requestDataInvalid`) as soon
 * as that is known: by its declared length, or while it arrives, without waiting for the rest. A body
 * that breaks off is refused likewise.
 */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read(request, bytesMax);
  if (request.headers.has(signatureHeader)) signedBodies.set(request, bytes);
  return bytes;
}

async function read(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > bytesMax) throwApiError('requestDataInvalid');
  // A server never reads past the declared length, so a body that fits is taken whole: a stream costs more than the rest.
  if (declared !== null) {
    const whole = new Uint8Array(await request.arrayBuffer().catch(() => throwApiError('requestDataInvalid')));
    return whole.byteLength > bytesMax ? throwApiError('requestDataInvalid') : whole;
  }
  if (request.body === null) return new Uint8Array();
  const reader = request.body.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read().catch(() => throwApiError('requestDataInvalid'));
    if (done) break;
    length += value.byteLength;
    if (length > bytesMax) {
      // The sender may never end, so nobody waits for the cancellation.
      reader.cancel().catch(() => undefined);
      throwApiError('requestDataInvalid');
    }
    chunks.push(value);
  }
  const bytes = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return bytes;
}

/** UTF-8 bytes as text, unchanged; other bytes are refused, since a signature over a guess proves nothing. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return throwApiError('requestDataInvalid');
  }
}
