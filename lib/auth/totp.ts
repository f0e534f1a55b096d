/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds). */
import { Secret, TOTP } from 'otpauth';

/** The time step of a code at most one step away from `at`, by which it is accepted only once; null for a wrong code. */
export function stepOf(secret: string, code: string, at: Date): number | null {
  // The library throws for six characters of more than six bytes.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const timestamp = at.getTime();
  const away = TOTP.validate({ secret: Secret.fromUTF8(secret), token: code, timestamp, window: 1 });
  return away === null ? null : TOTP.counter({ timestamp }) + away;
}

/** RFC 4648 base32 without padding: the secret for manual entry in an app. */
export function base32(secret: string): string {
  return Secret.fromUTF8(secret).base32;
}

/** The URI in the QR code. */
export function keyUri(secret: string, issuer: string, account: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  const params = { secret: base32(secret), issuer, digits: '6', period: '30' };
  return `otpauth://totp/${label}?${new URLSearchParams(params).toString().replaceAll('+', '%20')}`;
}
