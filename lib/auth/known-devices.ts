/**
 * Browsers in which a user has signed in before. Their attempts are counted apart from all others, so that a stranger
 * who locks an account with wrong passwords does not lock its user out (OWASP, device cookies). The cookie grants
 * nothing but that: it contains a number of this browser, and a keyed hash of it with the user's email.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { env } from '../config/index.ts';
import { cookieIn } from '../http/index.ts';
import { cookiePath } from './auth.ts';

const days = 180;

/** The number of the browser that sent these headers, if this user has signed in with it; null for any other. */
export function knownDevice(headers: Headers, email: string): string | null {
  const [, device = '', mark = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookieIn(headers, nameOf(email)) ?? '') ?? [];
  const expected = markOf(email, device);
  return mark.length === expected.length && timingSafeEqual(Buffer.from(mark), Buffer.from(expected)) ? device : null;
}

/** The cookie that makes the browser a known one of this user, or keeps it so. */
export function deviceCookie(email: string, device: string | null): string {
  const id = device ?? randomBytes(16).toString('base64url');
  const secure = env.baseUrl.startsWith('https:') ? '; Secure' : '';
  return `${nameOf(email)}=${id}.${markOf(email, id)}; Max-Age=${days * 86_400}; Path=${cookiePath}; HttpOnly; SameSite=Lax${secure}`;
}

// One for each user: colleagues may share a browser.
const nameOf = (email: string) =>
  `florin_device_${keyed(`name\n${normal(email)}`)
    .toString('hex')
    .slice(0, 12)}`;

const markOf = (email: string, device: string) => keyed(`device\n${normal(email)}\n${device}`).toString('base64url');

const normal = (email: string) => email.trim().toLowerCase();

function keyed(text: string): Buffer {
  const key = Buffer.from(hkdfSync('sha256', env.vaultKey, 'florin', 'known devices', 32));
  return createHmac('sha256', key).update(text).digest();
}
