/**
 * Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). Implemented here because the library does
 * not return the time step of a code, which is needed to accept each code only once.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const stepSeconds = 30;
const digits = 6;
/** The allowed clock difference in steps. */
const tolerance = 1;

/** The code of a step: the number of 30 seconds since 1970. */
export function codeAt(secret: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0xf;
  const number = (mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** digits;
  return String(number).padStart(digits, '0');
}

/** The step of a code within the allowed clock difference of `at`; null for a wrong code. */
export function stepOf(secret: Uint8Array, code: string, at: Date): number | null {
  const input = Buffer.from(code);
  const now = Math.floor(at.getTime() / 1000 / stepSeconds);
  let matching: number | null = null;
  for (let step = now - tolerance; step <= now + tolerance; step++) {
    const wanted = Buffer.from(codeAt(secret, step));
    if (input.length === wanted.length && timingSafeEqual(input, wanted)) matching = step;
  }
  return matching;
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** RFC 4648 base32 without padding: the secret for manual entry in an app. */
export function base32(bytes: Uint8Array): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(held >>> bits) & 31];
    }
    held &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(held << (5 - bits)) & 31] : text;
}

/** The URI in the QR code. */
export function keyUri(secret: Uint8Array, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const params = { secret: base32(secret), issuer, digits: String(digits), period: String(stepSeconds) };
  return `otpauth://totp/${label}?${new URLSearchParams(params).toString().replaceAll('+', '%20')}`;
}
