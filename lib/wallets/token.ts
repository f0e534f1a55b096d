// The common format of both wallets' tokens: text or an already parsed object, with bytes in Base64. All sizes are
// checked first. Senders of forged tokens must not learn which check failed, so all errors have the same message; the
// reason is for the log and never contains a part of the token.

import { orNull } from './ber.ts';
import { type JsonObject, readJsonObject, textIn } from './json.ts';

/** The card in a token: the month is 1 to 12, the year has four digits, the cryptogram is Base64. */
export type DecryptedCard = { number: string; expMonth: number; expYear: number; cryptogram?: string; eci?: string };

/** The maximum size of a token. Real ones have 2 to 5 KB. */
const tokenBytesMax = 64 * 1024;

/** The nesting of a token: the token, its payment data, the header; one spare level. */
const tokenDepthMax = 4;

/** The token as a strictly parsed object. Rejects with `token-size` or `token-json`. */
export function readToken(token: string | object): JsonObject {
  // An object is serialised and parsed like a text, so that both inputs follow the same rules.
  const text = typeof token === 'string' ? token : orReject('token-json', () => JSON.stringify(token));
  if (text.length > tokenBytesMax || Buffer.byteLength(text) > tokenBytesMax) rejectToken('token-size');
  return readJsonObject(text, tokenDepthMax) ?? rejectToken('token-json');
}

/** The bytes of padded standard Base64; null if empty or not in canonical form. */
export function base64Bytes(text: string): Buffer | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length > 0 && bytes.toString('base64') === text ? bytes : null;
}

/** The Base64 bytes under a name; null if absent, empty or not Base64. */
export function base64In(object: JsonObject, name: string): Buffer | null {
  const text = textIn(object, name, tokenBytesMax);
  return text === null ? null : base64Bytes(text);
}

/** The 32 bytes of a hexadecimal text, such as a SHA-256; null for any other text. */
export function hex32(text: string): Buffer | null {
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : null;
}

/** A token that must not be used. Respond with `message` only; `reason`, the check that failed, is for the log. */
export class WalletTokenError extends Error {
  readonly reason: string;

  constructor(why: string) {
    super('The wallet token is not valid.');
    this.name = 'WalletTokenError';
    this.reason = why;
  }
}

/** Rejects the token. */
export function rejectToken(why: string): never {
  throw new WalletTokenError(why);
}

/** Runs `open`; any other exception also rejects the token, because its message may quote the token. */
export function rejectOnThrow<Opened>(open: () => Opened): Opened {
  try {
    return open();
  } catch (error) {
    throw error instanceof WalletTokenError ? error : new WalletTokenError('unexpected');
  }
}

/** The result of `attempt`; rejects the token with `why` if it throws or returns null. */
export function orReject<Value>(why: string, attempt: () => Value | null): Value {
  return orNull(attempt) ?? rejectToken(why);
}
