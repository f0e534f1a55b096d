/**
 * Signing in and out over HTTP. All take JSON from the page's script and a form from a browser whose script has not
 * come yet, so that a password never ends up in an address.
 */
import { z } from 'zod';
import { type From, type SecondStep, type SignedIn, signIn, signInSecond, signOut } from '../auth/sign-in';
import { now } from '../db/clock';
import type { Peer, Route } from '../http/route';
import { secondsForAddress } from '../risk/request-rates';
import { type SignInFaultKind, signInFault } from './account/sign-in-words';
import { fail, isFormPost, isOwnOrigin, json, readGiven, redirect, withCookies } from './guard';
import { enrolPath, homePath, safeNext, secondStepPath, signInPath } from './paths';

const signInForm = z.object({ email: z.email().max(254), password: z.string().min(1).max(128) });
const secondForm = z.object({
  way: z.enum(['totp', 'recovery']),
  code: z
    .string()
    .max(64)
    .transform((text) => text.replace(/\s/g, '')),
});

const takeSignIn: Route['run'] = async (request, _params, peer) => {
  if (!isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
  const given = await readGiven(request);
  const parsed = signInForm.safeParse(given);
  const next = safeNext((given as { next?: unknown } | undefined)?.next);
  const at = now();
  const seconds = secondsForAddress('sign_in', peer.address);
  const done: SignedIn =
    seconds > 0
      ? { kind: 'slow', seconds }
      : parsed.success
        ? await signIn(parsed.data, fromOf(request, peer), at)
        : { kind: 'wrong', left: null };
  if (done.kind === 'second')
    return goOn(request, `${secondStepPath}?${new URLSearchParams({ next })}`, done.setCookie);
  if (done.kind === 'done') {
    return goOn(request, done.enrol ? `${enrolPath}?${new URLSearchParams({ next })}` : next, done.setCookie);
  }
  return refuse(request, done, at, signInPath, { next });
};

const takeSecondStep: Route['run'] = async (request, _params, peer) => {
  if (!isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
  const given = await readGiven(request);
  const parsed = secondForm.safeParse(given);
  const next = safeNext((given as { next?: unknown } | undefined)?.next);
  if (!parsed.success) return fail(400, 'The request is not valid.');
  const at = now();
  const seconds = secondsForAddress('sign_in', peer.address);
  const done: SecondStep =
    seconds > 0
      ? { kind: 'slow', seconds }
      : await signInSecond(parsed.data, request.headers, fromOf(request, peer), at);
  if (done.kind === 'done') return goOn(request, next, done.setCookie);
  const page = done.kind === 'gone' ? signInPath : secondStepPath;
  return refuse(request, done, at, page, { next, ...(parsed.data.way === 'recovery' && { way: 'recovery' }) });
};

const takeSignOut: Route['run'] = async (request) => {
  if (!isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
  return goOn(request, signInPath, await signOut(request.headers, now()));
};

/** Where a request comes from, as a session remembers it. */
export function fromOf(request: Request, { address }: Peer): From {
  return { address, userAgent: request.headers.get('user-agent')?.slice(0, 255) ?? null };
}

function goOn(request: Request, next: string, cookies: string[]): Response {
  return withCookies(isFormPost(request) ? redirect(next) : json(200, { next }), cookies);
}

type Refused = Exclude<SignedIn | SecondStep, { kind: 'done' | 'second' }>;

// Without script the page that was sent is shown again and says why; with script it says so by itself.
function refuse(request: Request, done: Refused, at: Date, page: string, query: Record<string, string>): Response {
  const count = countOf(done, at);
  if (isFormPost(request)) {
    return redirect(`${page}?${new URLSearchParams({ fault: done.kind, count: count ?? '', ...query })}`);
  }
  const kind: SignInFaultKind = done.kind;
  const status = kind === 'locked' || kind === 'slow' ? 429 : 401;
  const refused = fail(status, signInFault(kind, count));
  const wait = done.kind === 'slow' ? done.seconds : done.kind === 'locked' ? secondsUntil(done.until, at) : 0;
  if (wait > 0) refused.headers.set('retry-after', String(wait));
  return refused;
}

/** The tries that are left, the minutes of a lock, or the seconds to wait. */
function countOf(done: Refused, at: Date): string | null {
  if (done.kind === 'gone') return null;
  if (done.kind === 'slow') return String(done.seconds);
  if (done.kind !== 'locked') return done.left === null ? null : String(done.left);
  return String(Math.max(1, Math.ceil(secondsUntil(done.until, at) / 60)));
}

function secondsUntil(until: Date, at: Date): number {
  return Math.max(1, Math.ceil((until.getTime() - at.getTime()) / 1000));
}

/** Signing in and out. These rows ask for no right. */
export const sessionRoutes: Route[] = [
  { method: 'POST', path: `${homePath}/api/sign-in`, run: takeSignIn },
  { method: 'POST', path: `${homePath}/api/sign-in/code`, run: takeSecondStep },
  { method: 'POST', path: `${homePath}/api/sign-out`, run: takeSignOut },
];
