/** Addresses of the dashboard that are used in more than one place. */

export const homePath = '/dashboard';
export const signInPath = '/dashboard/sign-in';
/** The page that asks for the second factor's code. */
export const secondStepPath = '/dashboard/sign-in/code';
/** The page that unlocks a session. */
export const lockedPath = '/dashboard/sign-in/locked';
/** The page where a user who needs a second factor sets one up. */
export const enrolPath = '/dashboard/sign-in/second-factor';
export const paymentsPath = '/dashboard/payments';

/** The page after signing in: always a page of the dashboard. */
export function safeNext(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > 2000 || !/^\/dashboard(?:[/?]|$)/.test(wanted)) return paymentsPath;
  // Resolved as browsers do, so that `..` and backslashes cannot leave the dashboard.
  const url = URL.canParse(wanted, 'http://here.invalid') ? new URL(wanted, 'http://here.invalid') : null;
  if (url?.origin !== 'http://here.invalid' || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return paymentsPath;
  return url.pathname.startsWith(signInPath) ? paymentsPath : url.pathname + url.search;
}
