/** Sign-in and sign-out, by JSON or by a form without script, so that a password never becomes part of a URL. */
import { z } from 'zod';
import {
  type ClientInfo,
  type SecondFactorResult,
  type SignInResult,
  signIn,
  signInWithCode,
  signOut,
} from '../../auth/index.ts';
import { now } from '../../db/clock.ts';
import type { ClientIp, HttpResult, Route } from '../../http/index.ts';
import { retryAfterForAddress } from '../../risk/index.ts';
import {
  errorResponse,
  foreignOrigin,
  isFormPost,
  isOwnOrigin,
  jsonResponse,
  readBody,
  redirect,
  withCookies,
} from '../guard.ts';
import { enrolPath, homePath, safeNext, secondStepPath, signInPath } from '../paths.ts';
import { type SignInErrorKind, signInErrorText } from './labels.ts';

const signInForm = z.object({ email: z.email().max(254), password: z.string().min(1).max(128) });
const secondForm = z.object({
  way: z.enum(['totp', 'recovery']),
  code: z
    .string()
    .max(64)
    .transform((text) => text.replace(/\s/g, '')),
});

const handleSignIn: Route['run'] = async (request, _params, clientIp) => {
  const input = await readBody(request);
  const parsed = signInForm.safeParse(input);
  const next = safeNext((input as { next?: unknown } | undefined)?.next);
  const at = now();
  const seconds = retryAfterForAddress('sign_in', clientIp.address);
  if (seconds > 0) return failSignIn(request, { kind: 'slow', seconds }, at, signInPath, { next });
  const done: SignInResult = parsed.success
    ? await signIn(parsed.data, clientInfo(request, clientIp), at)
    : { kind: 'wrong', left: null };
  if (done.kind !== 'done' && done.kind !== 'second') return failSignIn(request, done, at, signInPath, { next });
  const step = done.kind === 'second' ? secondStepPath : done.enrol ? enrolPath : null;
  return continueTo(request, step === null ? next : `${step}?${new URLSearchParams({ next })}`, done.setCookie);
};

const handleSecondFactor: Route['run'] = async (request, _params, clientIp) => {
  const input = await readBody(request);
  const parsed = secondForm.safeParse(input);
  const next = safeNext((input as { next?: unknown } | undefined)?.next);
  if (!parsed.success) return errorResponse(400, 'The request is not valid.');
  const at = now();
  const seconds = retryAfterForAddress('sign_in', clientIp.address);
  const done: SecondFactorResult =
    seconds > 0
      ? { kind: 'slow', seconds }
      : await signInWithCode(parsed.data, request.headers, clientInfo(request, clientIp), at);
  if (done.kind === 'done') return continueTo(request, next, done.setCookie);
  const page = done.kind === 'gone' ? signInPath : secondStepPath;
  return failSignIn(request, done, at, page, { next, ...(parsed.data.way === 'recovery' && { way: 'recovery' }) });
};

/** The origin of a request, as a session stores it. */
export function clientInfo(request: Request, { address }: ClientIp): ClientInfo {
  return { address, userAgent: request.headers.get('user-agent')?.slice(0, 255) ?? null };
}

/** Sends the browser, or the page's script, to the next page. */
export function continueTo(request: Request, next: string, cookies: string[] = []): HttpResult {
  return withCookies(isFormPost(request) ? redirect(next) : jsonResponse(200, { next }), cookies);
}

type FailedSignIn = Exclude<SignInResult | SecondFactorResult, { kind: 'done' | 'second' }>;

// Without script the page is rendered again with the reason; with script the page shows it itself.
function failSignIn(
  request: Request,
  done: FailedSignIn,
  at: Date,
  page: string,
  query: Record<string, string>,
): HttpResult {
  const count = retryCount(done, at);
  if (isFormPost(request)) {
    return redirect(`${page}?${new URLSearchParams({ fault: done.kind, count: count ?? '', ...query })}`);
  }
  const kind: SignInErrorKind = done.kind;
  const status = kind === 'locked' || kind === 'slow' ? 429 : 401;
  const refused = errorResponse(status, signInErrorText(kind, count));
  const wait = done.kind === 'slow' ? done.seconds : done.kind === 'locked' ? secondsUntil(done.until, at) : 0;
  if (wait > 0) refused.headers['retry-after'] = String(wait);
  return refused;
}

/** The attempts left, the minutes of a lock, or the seconds to wait. */
function retryCount(done: FailedSignIn, at: Date): string | null {
  if (done.kind === 'gone') return null;
  if (done.kind === 'slow') return String(done.seconds);
  if (done.kind !== 'locked') return done.left === null ? null : String(done.left);
  return String(Math.max(1, Math.ceil(secondsUntil(done.until, at) / 60)));
}

function secondsUntil(until: Date, at: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
}

/** A route that requires no permission: a POST of the dashboard's own pages. */
export const openRoute = (path: string, run: Route['run']): Route => ({
  method: 'POST',
  path: `${homePath}/api${path}`,
  run: (request, params, clientIp) => (isOwnOrigin(request) ? run(request, params, clientIp) : foreignOrigin()),
});

/** Sign-in and sign-out. */
export const signInRoutes: Route[] = [
  openRoute('/sign-in', handleSignIn),
  openRoute('/sign-in/code', handleSecondFactor),
  openRoute('/sign-out', async (request) => continueTo(request, signInPath, await signOut(request.headers, now()))),
];
