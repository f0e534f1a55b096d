// Decodes JSON bodies. Excessive size and depth, reserved names and texts that cannot be stored are refused here, so
// that validation receives plain data.

import { fieldErrorTexts, throwApiError, throwFieldErrors } from '../core/errors';
import { decodeBody, isReserved, isStorable, readBytes, textOf } from './body';

/** The maximum size and nesting depth of a body; the body itself is depth 1. */
export type JsonLimits = { bytes: number; depth: number };

/** Checkout's limits. The contract's deepest field (a cart item's recipient) is at depth 7. */
export const jsonLimits: JsonLimits = { bytes: 256 * 1024, depth: 12 };

export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [name: string]: Json };

/**
 * Decodes the request's body to an object. Throws `requestDataInvalid` for a body that is too large, not UTF-8, not
 * JSON, not an object, too deep, or that contains a reserved name or a text that cannot be stored (interface.md,
 * Errors: malformed fields).
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

// The depth limit also bounds this recursion.
function inspect(value: Json, path: string, depth: number): void {
  if (typeof value === 'string' && !isStorable(value)) throwFieldErrors([{ path, text: fieldErrorTexts.notValid }]);
  if (typeof value !== 'object' || value === null) return;
  if (depth === 0) throwApiError('requestDataInvalid');
  for (const [name, inner] of Object.entries(value)) {
    if (isReserved(name) || !isStorable(name)) throwApiError('requestDataInvalid');
    inspect(inner, path === '' ? name : `${path}.${name}`, depth - 1);
  }
}
