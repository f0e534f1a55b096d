/**
 * Sign-in and sign-out: better-auth behind the account lock, both in the audit log. A user with a second factor takes
 * two steps; between them there is no session, only a cookie that identifies the pending sign-in.
 */

import { env } from '../config/index.ts';
import { prisma } from '../db/index.ts';
import { cookieIn } from '../http/index.ts';
import { audit } from './audit.ts';
import { addressHeader, auth, authPath } from './auth.ts';
import { authenticate, secondFactorRequired } from './authenticate.ts';
import { auditFailedCredential } from './confirm-identity.ts';
import { readRecoveryCode } from './recovery-codes.ts';
import type { Role } from './roles.ts';
import { consumeCode } from './second-factor.ts';
import { deviceOf } from './sessions.ts';
import {
  type CredentialKind,
  clearFailures,
  countAttempt,
  removeOldFailures,
  type SignInAttempt,
  uncountAttempt,
} from './sign-in-lock.ts';

/** The origin of an attempt: its address is used for the rate limit. */
export type ClientInfo = { address: string; userAgent: string | null };

type Blocked = { kind: 'locked'; until: Date } | { kind: 'slow'; seconds: number };

/** The outcome of a sign-in attempt. `second`: the password is right, and a code is required next. */
export type SignInResult =
  /** `enrol`: the session only allows setting up a second factor. */
  | { kind: 'done'; setCookie: string[]; enrol: boolean }
  | { kind: 'second'; setCookie: string[] }
  | { kind: 'wrong'; left: number | null }
  | Blocked;

/** The outcome of the second step. `gone`: the pending sign-in has expired. */
export type SecondFactorResult =
  | { kind: 'done'; setCookie: string[] }
  | { kind: 'code' | 'used' | 'recovery'; left: number }
  | { kind: 'gone' }
  | Blocked;

/** Checks email and password. */
export async function signIn(
  input: { email: string; password: string },
  from: ClientInfo,
  now: Date,
): Promise<SignInResult> {
  const email = input.email.trim();
  const counted = await countAttempt('password', email, now);
  if ('refusedUntil' in counted) return { kind: 'locked', until: counted.refusedUntil };
  const answer = await callAuthLibrary('/sign-in/email', { email, password: input.password }, headersOf(from));
  if (answer.status === 429) return rateLimited(answer, 'password', email);
  if (!answer.ok) return (await lockedResult(counted, email, now)) ?? { kind: 'wrong', left: counted.left };
  const setCookie = answer.headers.getSetCookie();
  const message = (await answer.json()) as { user?: { id: string; role: Role; twoFactorEnabled?: boolean } };
  if (!message.user) {
    // Neither a failure nor a success yet: earlier failures still count.
    await uncountAttempt('password', email);
    return { kind: 'second', setCookie };
  }
  await recordSignIn({ id: message.user.id, email }, 'password', from, now);
  return { kind: 'done', setCookie, enrol: secondFactorRequired(message.user.role) && !message.user.twoFactorEnabled };
}

/** The second step: a code of the authenticator, or a recovery code. `headers` contain the cookie of the first step. */
export async function signInWithCode(
  input: { way: 'totp' | 'recovery'; code: string },
  headers: Headers,
  from: ClientInfo,
  now: Date,
): Promise<SecondFactorResult> {
  const person = await findPendingSignIn(headers);
  if (!person) return { kind: 'gone' };
  const counted = await countAttempt('code', person.email, now);
  if ('refusedUntil' in counted) return { kind: 'locked', until: counted.refusedUntil };
  const error = async (kind: 'code' | 'used' | 'recovery'): Promise<SecondFactorResult> => {
    await auditFailedCredential(person.id, 'code', counted, now);
    return counted.lockedUntil ? { kind: 'locked', until: counted.lockedUntil } : { kind, left: counted.left };
  };
  const totp = input.way === 'totp';
  if (totp) {
    const taken = await consumeCode(person.id, input.code);
    if (taken !== 'right') return error(taken === 'used' ? 'used' : 'code');
  }
  const path = totp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code';
  const code = totp ? input.code : readRecoveryCode(input.code);
  const cookie = headers.get('cookie') ?? '';
  const answer = await callAuthLibrary(path, { code }, { ...headersOf(from), cookie });
  if (answer.status === 429) return rateLimited(answer, 'code', person.email);
  if (!answer.ok) {
    const { code: reason } = (await answer.json().catch(() => ({}))) as { code?: string };
    if (reason === 'INVALID_BACKUP_CODE' || reason === 'INVALID_CODE') return error(totp ? 'code' : 'recovery');
    return { kind: 'gone' };
  }
  await recordSignIn(person, totp ? 'authenticator' : 'recovery code', from, now);
  return { kind: 'done', setCookie: answer.headers.getSetCookie() };
}

/** The user of the pending sign-in in the cookie; null if it has expired. */
export async function findPendingSignIn(headers: Headers): Promise<{ id: string; email: string } | null> {
  const { createAuthCookie } = await (await auth()).$context;
  const { name } = createAuthCookie('two_factor');
  const value = cookieIn(headers, name) ?? '';
  // The library verifies the signature, which follows the dot, before it creates a session.
  const identifier = /^[\w-]+/.exec(value)?.[0] ?? '';
  if (!identifier.startsWith('2fa-')) return null;
  const stored = await prisma().userVerification.findFirst({ where: { identifier, expiresAt: { gt: new Date() } } });
  if (!stored) return null;
  return prisma().user.findFirst({ where: { id: stored.value, disabledAt: null }, select: { id: true, email: true } });
}

/** Ends the session of these headers; returns the cookies that remove it from the browser. */
export async function signOut(headers: Headers, now: Date): Promise<string[]> {
  const { viewer } = await authenticate(headers);
  const answer = await callAuthLibrary('/sign-out', {}, { cookie: headers.get('cookie') ?? '' });
  if (viewer) await audit({ actor: `user:${viewer.id}`, action: 'sign_out', subject: `user:${viewer.id}` }, now);
  return answer.headers.getSetCookie();
}

// The library's rate limiter runs for requests only, so it is called with one. The origin was checked before.
async function callAuthLibrary(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const { handler } = await auth();
  return handler(
    new Request(`${env.baseUrl}${authPath}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: env.baseUrl, ...headers },
      body: JSON.stringify(body),
    }),
  );
}

function headersOf({ address, userAgent }: ClientInfo): Record<string, string> {
  return { [addressHeader]: address, ...(userAgent !== null && { 'user-agent': userAgent }) };
}

async function rateLimited(answer: Response, guessed: CredentialKind, email: string): Promise<Blocked> {
  await uncountAttempt(guessed, email);
  return { kind: 'slow', seconds: Number(answer.headers.get('x-retry-after')) || 20 };
}

// The lock after a last failure is logged whether or not the email has an account.
async function lockedResult(counted: SignInAttempt, email: string, now: Date): Promise<Blocked | null> {
  if (counted.lockedUntil === null) return null;
  await audit({ actor: 'unauthenticated', action: 'sign_in.locked', subject: `email:${email.toLowerCase()}` }, now);
  return { kind: 'locked', until: counted.lockedUntil };
}

async function recordSignIn(
  person: { id: string; email: string },
  proof: 'password' | 'authenticator' | 'recovery code',
  { address, userAgent }: ClientInfo,
  now: Date,
): Promise<void> {
  await clearFailures('password', person.email);
  if (proof !== 'password') await clearFailures('code', person.email);
  const actor = `user:${person.id}`;
  const after = { proof, address, device: deviceOf(userAgent) };
  await audit({ actor: actor, action: 'sign_in', subject: actor, after }, now);
  await removeOldFailures(now);
  const expired = { expiresAt: { lt: new Date() } };
  await prisma().userSession.deleteMany({ where: expired });
  await prisma().userVerification.deleteMany({ where: expired });
}
