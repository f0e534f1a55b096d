// The shop's visitor: a random name in a cookie, which alone gives access to orders.
import { randomBytes } from 'node:crypto';
import { env } from '../../config/index.ts';
import { fieldsShopUrl } from '../../core/demo-request.ts';
import { addCookies, type HttpResult } from '../../http/index.ts';
import { answerOf } from '../routes.ts';

/** The shop's origin in the browser, and the browser's address. */
export type Visit = { origin: string; payerIp: string };

export const visitorCookie = 'florin_shop';
/** As long as any order is kept. */
const keptDays = 10;

/** A visitor's name from the cookie; null for values that the shop has not issued. */
export function readVisitor(value: string | undefined): string | null {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : null;
}

/** The visitor of this request; null without a cookie. */
export function visitorOf(request: Request): string | null {
  const pairs = (request.headers.get('cookie') ?? '').split(';').map((pair) => pair.trim().split('='));
  return readVisitor(pairs.find(([name]) => name === visitorCookie)?.[1]);
}

/** Runs for the visitor of a request, and sets the cookie of a new one. */
export async function forVisitor(request: Request, run: (visitor: string) => Promise<HttpResult>): Promise<HttpResult> {
  const known = visitorOf(request);
  if (known) return run(known);
  const visitor = randomBytes(16).toString('base64url');
  const response = await answerOf(() => run(visitor));
  const secure = env.baseUrl.startsWith('https:') ? '; Secure' : '';
  const lasts = `Max-Age=${keptDays * 86_400}`;
  addCookies(response, [`${visitorCookie}=${visitor}; Path=/; ${lasts}; HttpOnly; SameSite=Lax${secure}`]);
  return response;
}

/**
 * The shop's origin in the browser: the service's own, or this machine's other name. A cookie belongs to one name, so
 * that the payer must return to the same.
 */
export function originOf(request: Request): string {
  const other = new URL(fieldsShopUrl(env.baseUrl));
  return request.headers.get('host') === other.host ? other.origin : env.baseUrl;
}
