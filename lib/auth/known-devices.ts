/**
 * Browsers in which a user has signed in before. Their attempts are counted apart from all others, so that a stranger
 * who locks an account with wrong passwords does not lock its user out (OWASP, device cookies). The cookie grants
 * nothing but that: it contains a number of this browser, and a keyed hash of it with the user's email.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { cookieIn, cookieLine, cookieName } from '../http/index.ts';
import { sessionSecret } from '../vault/index.ts';

const days = 180;

/** The number of the browser that sent these headers, if this user has signed in with it; null for any other. */
export async function knownDevice(headers: Headers, email: string): Promise<string | null> {
  const cookie = cookieIn(headers, await nameOf(email)) ?? '';
  const [, device = '', mark = ''] = /^([\w-]{22})\.([\w-]{43})$/.exec(cookie) ?? [];
  const expected = await markOf(email, device);
  return mark.length === expected.length && timingSafeEqual(Buffer.from(mark), Buffer.from(expected)) ? device : null;
}

/** The cookie that makes the browser a known one of this user, or keeps it so. */
export async function deviceCookie(email: string, device: string | null): Promise<string> {
  const id = device ?? randomBytes(16).toString('base64url');
  const value = `${id}.${await markOf(email, id)}`;
  return cookieLine(await nameOf(email), value, days * 86_400);
}

// One for each user: colleagues may share a browser.
async function nameOf(email: string): Promise<string> {
  const digest = await keyed(`name\n${normal(email)}`);
  return cookieName(`florin_device_${digest.toString('hex').slice(0, 12)}`);
}

async function markOf(email: string, device: string): Promise<string> {
  return (await keyed(`device\n${normal(email)}\n${device}`)).toString('base64url');
}

const normal = (email: string) => email.trim().toLowerCase();

async function keyed(text: string): Promise<Buffer> {
  const key = Buffer.from(hkdfSync('sha256', await sessionSecret(), 'florin', 'known devices', 32));
  return createHmac('sha256', key).update(text).digest();
}
