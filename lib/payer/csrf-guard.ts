/**
 * Protects the page's forms against cross-site requests without a cookie, which browsers block in a shop's frame:
 * checks the browser's origin headers and a token bound to the payment and its number of attempts.
 */
import { timingSafeEqual } from 'node:crypto';
import { checkoutBaseUrl, env } from '../config/index.ts';
import type { Payment } from '../core/payment.ts';
import type { HttpRequest } from '../http/index.ts';
import { type Submitted, submissionsOf } from '../payments/index.ts';
import { linkHmac } from '../vault/index.ts';

/** The origins of this application's payer pages. */
export function ownOrigins(): string[] {
  return [...new Set([env.baseUrl, checkoutBaseUrl()].map((address) => new URL(address).origin))];
}

/** Whether another site's page sent the form. Without an `Origin` the form's token decides alone. */
export function isCrossSite(request: HttpRequest): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null || origin === 'null') return false;
  return !ownOrigins().includes(origin) && origin !== new URL(request.url).origin;
}

/** Whether the document is loaded into a frame; false for browsers that do not report it. */
export function isFramed(request: HttpRequest): boolean {
  return ['iframe', 'frame', 'embed', 'object'].includes(request.headers.get('sec-fetch-dest') ?? '');
}

/**
 * The amount of the form: a session may change before its first attempt, and the payer pays the displayed one.
 * `agreement`: the mark of what the payer agrees to besides (agreement.ts).
 */
export function totalOf({ orderAmount, currency }: Pick<Payment, 'orderAmount' | 'currency'>, agreement = ''): string {
  return [orderAmount, currency, agreement].filter(Boolean).join(' ');
}

/** Whether the document may be inside a frame: true for old browsers and plain http, which do not report it. */
export function mayBeFramed(request: HttpRequest): boolean {
  return isFramed(request) || !request.headers.has('sec-fetch-dest');
}

/**
 * The number of a page's forms, its hidden field `attempt`: how often the payer had submitted at rendering time. It
 * distinguishes a new submit from a repeated one and from one of an outdated tab, and does not show which were stored.
 */
export const formNumber = (submitted: Submitted) => String(submissionsOf(submitted));

/**
 * The hidden fields of a page's forms. `total` is the amount that the page shows, and what is agreed.
 */
export async function hiddenFields(
  submitted: Submitted,
  agreement = '',
): Promise<{ attempt: string; total: string; guard: string }> {
  const { payment } = submitted;
  const attempt = formNumber(submitted);
  return { attempt, total: totalOf(payment, agreement), guard: await guardOf(payment.id, attempt) };
}

/** Whether the fields come from a form of this payment's page. */
export async function isGuardValid(payment: Payment, attempt: string, guard: string): Promise<boolean> {
  const actual = Buffer.from(guard, 'utf8');
  const expected = Buffer.from(await guardOf(payment.id, attempt), 'utf8');
  return actual.length === expected.length && timingSafeEqual(actual, expected);
}

async function guardOf(paymentId: string, attempt: string): Promise<string> {
  return (await linkHmac(`form:${paymentId}:${attempt}`)).subarray(0, 16).toString('base64url');
}
