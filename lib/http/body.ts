// Shared by both decoders of request bodies: reads with a size limit, and the names and texts that no body may contain
// because later steps cannot process them.

import { throwApiError } from '../core/errors';
import { signatureHeader } from '../core/request-signature';

/** Names with a meaning in JavaScript objects. A body that contains one is refused. */
const reserved = new Set(['__proto__', 'constructor', 'prototype']);

export function isReserved(name: string): boolean {
  return reserved.has(name);
}

/** Reports whether the database can store a text: without NUL and unpaired surrogates. */
export function isStorable(text: string): boolean {
  return !/\0|\p{Surrogate}/u.test(text);
}

/** The bytes of refused bodies, as long as their request is referenced. */
const rejectedBodies = new WeakMap<Request, Uint8Array>();

/** Returns the bytes of a refused body; undefined for one that was too large or incomplete. */
export function rejectedBytes(request: Request): Uint8Array | undefined {
  return rejectedBodies.get(request);
}

/** The bytes of bodies with a request signature, as long as their request is referenced. */
const signedBodies = new WeakMap<Request, Uint8Array>();

/** Returns the raw body of a request with X-Florin-Signature; undefined for one without. */
export function signedBytes(request: Request): Uint8Array | undefined {
  return signedBodies.get(request);
}

/** Decodes a body, and keeps its bytes if it is refused. */
export async function decodeBody<T>(request: Request, bytes: Uint8Array, decode: () => T | Promise<T>): Promise<T> {
  try {
    return await decode();
  } catch (thrown) {
    rejectedBodies.set(request, bytes);
    throw thrown;
  }
}

/**
 * Reads a complete body of at most `bytesMax` bytes. Throws `requestDataInvalid` for a longer one as soon as its
 * declared length or the received bytes exceed the limit, and for an incomplete one.
 */
export async function readBytes(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await read(request, bytesMax);
  if (request.headers.has(signatureHeader)) signedBodies.set(request, bytes);
  return bytes;
}

async function read(request: Request, bytesMax: number): Promise<Uint8Array<ArrayBuffer>> {
  const declared = request.headers.get('content-length');
  if (Number(declared ?? 0) > bytesMax) throwApiError('requestDataInvalid');
  // The server never reads past the declared length, so the body needs no slower stream with a byte count.
  if (declared !== null) {
    const bytes = new Uint8Array(await request.arrayBuffer().catch(() => throwApiError('requestDataInvalid')));
    return bytes.byteLength > bytesMax ? throwApiError('requestDataInvalid') : bytes;
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
      // The cancellation is not awaited, because the sender may never end.
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

/**
 * Decodes UTF-8 bytes unchanged. Other bytes are refused, because a signature over replaced characters is meaningless.
 */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return throwApiError('requestDataInvalid');
  }
}
