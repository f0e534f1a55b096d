/**
 * Signing in and out over HTTP. Both take JSON from the page's script and a form from a browser whose script has not
 * come yet, so that a password never ends up in an address.
 */
import { z } from 'zod';
import { signInFault } from '../../components/dashboard/sign-in-words';
import { type SignedIn, signIn, signOut } from '../auth/sign-in';
import { now } from '../clock';
import { Refusal } from '../core/errors';
import type { Route } from '../route';
import { fail, isOwnOrigin, json, readJson, readText, withCookies } from './guard';
import { homePath, safeNext, signInPath } from './paths';

const form = z.object({ email: z.email().max(254), password: z.string().min(1).max(128), next: z.string().optional() });

const takeSignIn: Route['run'] = async (request, _params, peer) => {
  if (!isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
  const isForm = isFormPost(request);
  const given = isForm ? await readForm(request) : await readJson(request);
  const parsed = form.safeParse(given);
  const next = safeNext((given as { next?: unknown } | undefined)?.next);
  const at = now();
  const agent = request.headers.get('user-agent');
  const done: SignedIn = parsed.success
    ? await signIn(parsed.data, { address: peer.address, userAgent: agent?.slice(0, 255) ?? null }, at)
    : { kind: 'wrong', left: null };
  if (done.kind === 'done') {
    return withCookies(isForm ? redirect(next) : json(200, { next }), done.setCookie);
  }
  const count = countOf(done, at);
  if (isForm) return redirect(`${signInPath}?${new URLSearchParams({ fault: done.kind, count: count ?? '', next })}`);
  const status = done.kind === 'wrong' ? 401 : 429;
  return fail(status, signInFault(done.kind, count));
};

const takeSignOut: Route['run'] = async (request) => {
  if (!isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
  const cookies = await signOut(request.headers, now());
  return withCookies(isFormPost(request) ? redirect(signInPath) : json(200, { next: signInPath }), cookies);
};

/** The tries that are left, the minutes of a lock, or the seconds to wait. */
function countOf(done: Exclude<SignedIn, { kind: 'done' }>, at: Date): string | null {
  if (done.kind === 'wrong') return done.left === null ? null : String(done.left);
  if (done.kind === 'slow') return String(done.seconds);
  return String(Math.max(1, Math.ceil((done.until.getTime() - at.getTime()) / 60_000)));
}

function isFormPost(request: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}

async function readForm(request: Request): Promise<unknown> {
  try {
    return Object.fromEntries(new URLSearchParams(await readText(request)));
  } catch (thrown) {
    if (thrown instanceof Refusal) return undefined;
    throw thrown;
  }
}

function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, 'cache-control': 'no-store' } });
}

/** Signing in and out. These two rows ask for no right. */
export const sessionRoutes: Route[] = [
  { method: 'POST', path: `${homePath}/api/sign-in`, run: takeSignIn },
  { method: 'POST', path: `${homePath}/api/sign-out`, run: takeSignOut },
];
