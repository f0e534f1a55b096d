/** The addresses of the dashboard that are named in more than one place. */

export const homePath = '/dashboard';
export const signInPath = '/dashboard/sign-in';
/** Where the code of the second step is asked for. */
export const secondStepPath = '/dashboard/sign-in/code';
/** Where somebody who needs a second factor and has none sets one up. */
export const enrolPath = '/dashboard/sign-in/second-factor';
export const paymentsPath = '/dashboard/payments';

/** Where to go after signing in: a page of the dashboard, never anybody else's. */
export function safeNext(wanted: unknown): string {
  if (typeof wanted !== 'string' || wanted.length > 2000 || !/^\/dashboard(?:[/?]|$)/.test(wanted)) return paymentsPath;
  // Resolved as a browser does, so that `..` and backslashes lead nowhere else.
  const url = URL.canParse(wanted, 'http://here.invalid') ? new URL(wanted, 'http://here.invalid') : null;
  if (url?.origin !== 'http://here.invalid' || !/^\/dashboard(?:\/|$)/.test(url.pathname)) return paymentsPath;
  return url.pathname.startsWith(signInPath) ? paymentsPath : url.pathname + url.search;
}
