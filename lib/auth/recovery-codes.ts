/**
 * Recovery codes: ten of 50 random bits each, for a lost authenticator. They use letters and digits that are not easily
 * confused, because users copy them from paper.
 */
import { randomBytes } from 'node:crypto';

const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';
const count = 10;
const length = 10;

/** Ten new codes, as `7kq2m-x8h4w`. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: count }, () =>
    grouped([...randomBytes(length)].map((byte) => alphabet[byte % 32]).join('')),
  );
}

/** A code in its stored form: lower case, with a hyphen in the middle. */
export function readRecoveryCode(typed: string): string {
  return grouped(typed.toLowerCase().replace(/[^a-z0-9]/g, ''));
}

function grouped(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}
