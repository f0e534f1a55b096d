// Decoding of JSON bodies. Everything that could hurt further in (size, depth, reserved names, texts
// that cannot be stored) is refused here, so that validation only ever sees plain data.

import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors';
import { decodeBody, isReserved, isStorable, readBytes, textOf } from './body';

/** How much of a body is read, and how deep it may nest; the body itself is depth 1. */
export type JsonLimits = { bytes: number; depth: number };

/** Checkout's limits. The contract's deepest field (a cart item's recipient) stands at depth 7. */
export const jsonLimits: JsonLimits = { bytes: 256 * 1024, depth: 12 };

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/**
 * The request's body as an object. Throws the refusal `requestDataInvalid` for a body that is too large,
 * not UTF-8, not JSON, not an object at the top, too deep, or that has a reserved name or a text that
 * cannot be stored (interface.md, Errors: malformed fields).
 */
export async function decodeJson(request: Request, limits: JsonLimits): Promise<JsonObject> {
  const bytes = await readBytes(request, limits.bytes);
  return decodeBody(request, bytes, () => readObject(textOf(bytes), limits));
}

function readObject(text: string, limits: JsonLimits): JsonObject {
  const body = parse(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return throwApiError('requestDataInvalid');
  inspect(body, '', limits.depth);
  return body;
}

function parse(text: string): Json {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return throwApiError('requestDataInvalid');
  }
}

// Stops one level below the limit, so its own recursion is as bounded as the body it accepts.
function inspect(value: Json, path: string, depth: number): void {
  if (typeof value === 'string' && !isStorable(value)) throwFieldErrors([{ path, text: fieldErrorTexts.notValid }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throwApiError('requestDataInvalid');
  for (const [name, inner] of Object.entries(value)) {
    if (isReserved(name) || !isStorable(name)) throwApiError('requestDataInvalid');
    inspect(inner, path === '' ? name : `${path}.${name}`, depth - 1);
  }
}
