/** Signing in and out: better-auth behind the lock of the account, with both in the audit log. */
import { query } from '../db';
import { env } from '../env';
import { audit } from './audit';
import { addressHeader, auth, authPath } from './auth';
import { countTry, forgetFailures, removeOldFailures, uncountTry } from './lock';
import { viewerOf } from './viewer';

/** What became of a try to sign in. Only `done` carries cookies. */
export type SignedIn =
  | { kind: 'done'; setCookie: string[] }
  | { kind: 'wrong'; left: number | null }
  | { kind: 'locked'; until: Date }
  | { kind: 'slow'; seconds: number };

/** Tries e-mail and password. `address` is the peer's, by which the tries of one machine are counted. */
export async function signIn(
  given: { email: string; password: string },
  peer: { address: string; userAgent: string | null },
  now: Date,
): Promise<SignedIn> {
  const email = given.email.trim();
  const counted = await countTry(email, now);
  if ('refusedUntil' in counted) return { kind: 'locked', until: counted.refusedUntil };
  const answer = await askLibrary('/sign-in/email', JSON.stringify({ email, password: given.password }), {
    [addressHeader]: peer.address,
    ...(peer.userAgent !== null && { 'user-agent': peer.userAgent }),
  });
  if (answer.status === 429) {
    await uncountTry(email);
    return { kind: 'slow', seconds: Number(answer.headers.get('x-retry-after')) || 20 };
  }
  if (!answer.ok) {
    if (counted.lockedUntil === null) return { kind: 'wrong', left: counted.left };
    await audit({ actor: 'nobody', action: 'sign_in.locked', subject: `email:${email.toLowerCase()}` }, now);
    return { kind: 'locked', until: counted.lockedUntil };
  }
  const { user } = (await answer.json()) as { user: { id: string } };
  await forgetFailures(email);
  await audit({ actor: `user:${user.id}`, action: 'sign_in', subject: `user:${user.id}` }, now);
  await removeOld(now);
  return { kind: 'done', setCookie: answer.headers.getSetCookie() };
}

/** Ends the session of these headers; gives the cookies that remove it from the browser. */
export async function signOut(headers: Headers, now: Date): Promise<string[]> {
  const { viewer } = await viewerOf(headers);
  const answer = await askLibrary('/sign-out', '{}', { cookie: headers.get('cookie') ?? '' });
  if (viewer) await audit({ actor: `user:${viewer.id}`, action: 'sign_out', subject: `user:${viewer.id}` }, now);
  return answer.headers.getSetCookie();
}

// The rate limiter sees requests only, so the library is asked by one. Where it came from has been checked before.
async function askLibrary(path: string, body: string, headers: Record<string, string>): Promise<Response> {
  const { handler } = await auth();
  return handler(
    new Request(`${env.baseUrl}${authPath}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: env.baseUrl, ...headers },
      body,
    }),
  );
}

async function removeOld(now: Date): Promise<void> {
  await removeOldFailures(now);
  await query('sessions-old', 'delete from user_sessions where expires_at < $1::timestamptz', [new Date()]);
}
