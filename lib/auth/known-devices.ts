/**
 * Browsers in which a user has signed in before. Their attempts are counted apart from all others, so that a stranger
 * who locks an account with wrong passwords does not lock its user out (OWASP, device cookies). The cookie grants
 * nothing but that: it contains a number of this browser, the time of issue, and a keyed hash of both with the user's
 * email. Whatever ends the sessions of a user also makes these browsers unknown, so that a stranger who had the former
 * password has no attempts of their own.
 */
import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import { prisma } from '../db/index.ts';
import { cookieIn, cookieLine, cookieName } from '../http/index.ts';
import { sessionSecret } from '../vault/index.ts';

const days = 180;

/** A user, and since when browsers are known; without the time it is read. */
type Owner = { email: string; devicesSince?: Date | null | undefined };

/** The number of the browser that sent these headers, if this user has signed in with it; null for any other. */
export async function knownDevice(headers: Headers, { email, devicesSince }: Owner): Promise<string | null> {
  const cookie = cookieIn(headers, await nameOf(email)) ?? '';
  const [, device = '', issued = '', mark = ''] = /^([\w-]{22})\.([0-9a-z]{8,9})\.([\w-]{43})$/.exec(cookie) ?? [];
  const expected = await markOf(email, device, issued);
  if (mark.length !== expected.length || !timingSafeEqual(Buffer.from(mark), Buffer.from(expected))) return null;
  const at = Number.parseInt(issued, 36);
  if (at < Date.now() - days * 86_400_000) return null;
  const since = devicesSince === undefined ? await devicesSinceOf(email) : devicesSince;
  return since === null || at >= since.getTime() ? device : null;
}

async function devicesSinceOf(email: string): Promise<Date | null> {
  const where = { email: normal(email) };
  return (await prisma().user.findUnique({ where, select: { devicesSince: true } }))?.devicesSince ?? null;
}

/** The cookie that makes the browser a known one of this user, or keeps it so. */
export async function deviceCookie(email: string, device: string | null): Promise<string> {
  const id = device ?? randomBytes(16).toString('base64url');
  const issued = Date.now().toString(36);
  return cookieLine(await nameOf(email), `${id}.${issued}.${await markOf(email, id, issued)}`, days * 86_400);
}

// One for each user: colleagues may share a browser.
async function nameOf(email: string): Promise<string> {
  const digest = await keyed(`name\n${normal(email)}`);
  return cookieName(`florin_device_${digest.toString('hex').slice(0, 12)}`);
}

async function markOf(email: string, device: string, issued: string): Promise<string> {
  return (await keyed(`device\n${normal(email)}\n${device}\n${issued}`)).toString('base64url');
}

const normal = (email: string) => email.trim().toLowerCase();

async function keyed(text: string): Promise<Buffer> {
  const key = Buffer.from(hkdfSync('sha256', await sessionSecret(), 'florin', 'known devices', 32));
  return createHmac('sha256', key).update(text).digest();
}
