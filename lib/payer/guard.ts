/**
 * What a page's forms are guarded with, without a cookie: the browser's own word on where the request comes from, and a
 * token bound to the payment and the number of its attempts. Cookies would be blocked where a shop frames the page.
 */
import { timingSafeEqual } from 'node:crypto';
import { checkoutBaseUrl, env } from '../config';
import type { Payment } from '../core/payment';
import { linkHmac } from '../vault';

/** The origins under which payers see this application's pages. */
export function ownOrigins(): string[] {
  return [...new Set([env.baseUrl, checkoutBaseUrl()].map((address) => new URL(address).origin))];
}

/**
 * Whether a form was sent by a page of somebody else. A page without referrer sends `Origin: null`, so an absent or null
 * origin proves nothing either way; the form's token then decides alone.
 */
export function isCrossSite(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return false;
  return !ownOrigins().includes(origin) && origin !== new URL(request.url).origin;
}

/** Whether the document is being loaded into a frame. Browsers that do not say it are taken to show it by itself. */
export function isFramed(request: Request): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(request.headers.get('sec-fetch-dest') ?? '');
}

/** The amount as a form carries it: a session may change until its first attempt, and nobody pays what they did not see. */
export function totalOf({ orderAmount, currency }: Pick<Payment, 'orderAmount' | 'currency'>): string {
  return `${orderAmount} ${currency}`;
}

/** Whether the document may be inside a frame: old browsers, and all on a plain http address, leave it unsaid. */
export function mayBeFramed(request: Request): boolean {
  return isFramed(request) || !request.headers.has('sec-fetch-dest');
}

/**
 * The hidden fields of a page's forms. `attempt` is how many attempts the page knows of: a form that is sent twice, or
 * from a tab that has missed an attempt, is told from a new one by it. `total` is the amount that the page shows.
 */
export async function hiddenFields(payment: Payment): Promise<{ attempt: string; total: string; guard: string }> {
  const attempt = String(payment.attempts);
  return { attempt, total: totalOf(payment), guard: await guardOf(payment.id, attempt) };
}

/** Whether the fields come from a form of this payment's page. */
export async function isGuardValid(payment: Payment, attempt: string, guard: string): Promise<boolean> {
  const given = Buffer.from(guard, 'utf8');
  const right = Buffer.from(await guardOf(payment.id, attempt), 'utf8');
  return given.length === right.length && timingSafeEqual(given, right);
}

async function guardOf(paymentId: string, attempt: string): Promise<string> {
  return (await linkHmac(`form:${paymentId}:${attempt}`)).subarray(0, 16).toString('base64url');
}
