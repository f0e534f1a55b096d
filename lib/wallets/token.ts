// What both wallets' tokens share: a token arrives as text or as an object that somebody has parsed already, and its
// bytes are written in Base64. Everything is bounded before it is looked at.

import { type JsonObject, readJsonObject, textIn } from './json';
import { rejectToken } from './token-error';

/** The longest token that is looked at. Real ones have 2 to 5 KB. */
const tokenBytesMax = 64 * 1024;

/** A token nests at most: the token, its payment data, the header; one level to spare. */
const tokenDepthMax = 4;

/** The token as a strictly read object. Refused: `token-size`, `token-json`. */
export function readToken(token: string | object): JsonObject {
  const text = typeof token === 'string' ? token : serialize(token);
  if (text.length > tokenBytesMax || Buffer.byteLength(text) > tokenBytesMax) rejectToken('token-size');
  return readJsonObject(text, tokenDepthMax) ?? rejectToken('token-json');
}

// An object is written again and read like any other text, so both ways in obey the same rules.
function serialize(token: object): string {
  try {
    return JSON.stringify(token) ?? rejectToken('token-json');
  } catch {
    return rejectToken('token-json');
  }
}

/** The bytes of padded standard Base64; null for none and for any other writing, of which they could have several. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null;
}

/** The bytes under a name, written in Base64; null when they are absent, empty or not Base64. */
export function base64In(object: JsonObject, name: string): Buffer | null {
  const text = textIn(object, name, tokenBytesMax);
  return text === null ? null : base64Bytes(text);
}

/** The SHA-256 or identifier of exactly 32 bytes that a hexadecimal text is; null for any other. */
export function hex32(text: string): Buffer | null {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : null;
}
