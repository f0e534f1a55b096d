/**
 * Sign-in and sign-out: better-auth behind the account lock, both in the audit log. A user with a second factor takes
 * two steps; between them there is no session, only a cookie that identifies the pending sign-in. A passkey, which
 * verifies the user by itself, also signs in alone.
 */

import { setTimeout } from 'node:timers/promises';
import { dashboardBaseUrl } from '../config/index.ts';
import { prisma } from '../db/index.ts';
import { cookieIn } from '../http/index.ts';
import { audit } from './audit.ts';
import { addressHeader, auth, authPath } from './auth.ts';
import { authenticate, secondFactorRequired } from './authenticate.ts';
import { auditFailedCredential } from './confirm-identity.ts';
import { credentialsOf } from './credentials.ts';
import { deviceCookie, knownDevice } from './known-devices.ts';
import { type Assertion, assertionOptions, consumeAssertion, findPasskeyOwner } from './passkeys.ts';
import { busySeconds, runInTurn } from './password-turns.ts';
import { pendingPrefix, renewPasswordHash } from './passwords.ts';
import {
  countRefusal,
  lockedRefusal,
  unknownAccountRefusal,
  unknownPasskeyRefusal,
  unknownSubject,
} from './refused-requests.ts';
import type { Role } from './roles.ts';
import { type CodeCheck, consumeCode, consumeRecoveryCode, type ProofWay, secondFactorWays } from './second-factor.ts';
import { clearFailures, countAttempt, type Guesser, type SignInAttempt, uncountAttempt } from './sign-in-lock.ts';

/** The origin of an attempt: its address is used for the rate limit, its cookies to recognise a known browser. */
export type ClientInfo = { address: string; userAgent: string | null; headers: Headers };

/** `slow`: too many of the network. `limited`: too many of the user. */
type Blocked = { kind: 'locked'; until: Date } | { kind: 'slow' | 'limited'; seconds: number };

/** The outcome of a sign-in attempt. `second`: the password is right, and one of the `ways` is required next. */
export type SignInResult =
  /** `enrol`: the session only allows setting up a second factor. */
  | { kind: 'done'; setCookie: string[]; enrol: boolean }
  | { kind: 'second'; setCookie: string[]; ways: ProofWay[] }
  | { kind: 'wrong'; left: number | null }
  | Blocked;

/** The outcome of the second step. `gone`: the pending sign-in has expired. `lost`: as {@link CodeCheck}. */
export type SecondFactorResult =
  | { kind: 'done'; setCookie: string[] }
  | { kind: 'code' | 'used' | 'recovery' | 'passkey'; left: number }
  | { kind: 'gone' | 'lost' }
  | Blocked;

/** The outcome of a sign-in by passkey alone. */
export type PasskeySignInResult =
  | { kind: 'done'; setCookie: string[] }
  | { kind: 'passkey'; left: number | null }
  | Blocked;

/** A refusal takes at least so long: hashes of earlier releases take 160 ms, which would show who has an account. */
const refusalMilliseconds = 400;

/** Checks email and password. */
export async function signIn(
  input: { email: string; password: string },
  from: ClientInfo,
  now: Date,
): Promise<SignInResult> {
  const earliest = performance.now() + refusalMilliseconds;
  const email = input.email.trim();
  const device = await knownDevice(from.headers, { email });
  const run = () => signInAs({ email, device }, input.password, from, now);
  const [owner, kind] = device === null ? ([from, 'slow'] as const) : ([{ email }, 'limited'] as const);
  const done = (await runInTurn(owner, run)) ?? { kind, seconds: busySeconds };
  // The turn is over, so others are not delayed.
  if (done.kind === 'wrong' || done.kind === 'locked') await setTimeout(Math.max(0, earliest - performance.now()));
  return done;
}

async function signInAs(guesser: Guesser, password: string, from: ClientInfo, now: Date): Promise<SignInResult> {
  const { email } = guesser;
  const counted = await countAttempt('password', guesser, now);
  if ('refusedUntil' in counted) {
    countRefusal({ ...lockedRefusal, subject: await subjectOfEmail(email) });
    return { kind: 'locked', until: counted.refusedUntil };
  }
  const before = await credentialsOf({ email: email.toLowerCase() });
  const answer = await callAuthLibrary('/sign-in/email', { email, password }, headersOf(from));
  if (answer.status === 429) {
    await uncountAttempt('password', guesser);
    return { kind: 'slow', seconds: Number(answer.headers.get('x-retry-after')) || 20 };
  }
  const person = await prisma().user.findUnique({ where: { email: email.toLowerCase() } });
  const setCookie = answer.headers.getSetCookie();
  const isChanged = answer.ok && person !== null && (await endIfChanged(person.id, before, setCookie));
  if (!answer.ok || isChanged) {
    await auditFailedSignIn(person, 'password', now);
    return (await lockedResult(counted, email, now)) ?? { kind: 'wrong', left: counted.left };
  }
  if (person) await renewPasswordHash(person.id, password);
  const message = (await answer.json()) as { user?: { id: string; role: Role; twoFactorEnabled?: boolean } };
  if (!message.user) {
    // Neither a failure nor a success yet: earlier failures still count.
    await uncountAttempt('password', guesser);
    // The library removes its cookie from the browser.
    await endFormerSession(from.headers);
    return { kind: 'second', setCookie, ways: person ? await secondFactorWays(person.id) : [] };
  }
  setCookie.push(await recordSignIn({ id: message.user.id, ...guesser }, 'password', from.headers, now));
  return { kind: 'done', setCookie, enrol: secondFactorRequired(message.user.role) && !message.user.twoFactorEnabled };
}

/** A code of the authenticator, a recovery code, or a passkey. */
export type SecondStep = { way: 'totp' | 'recovery'; code: string } | { way: 'passkey'; passkey: Assertion };

/** The second step. The headers contain the cookie of the first step. */
export async function signInWithSecondFactor(
  input: SecondStep,
  from: ClientInfo,
  now: Date,
): Promise<SecondFactorResult> {
  const person = await findPendingSignIn(from.headers);
  if (!person) return { kind: 'gone' };
  const run = () => checkSecondFactor(person, input, from, now);
  // A recovery code is hashed; the password was right before.
  return (await runInTurn(person, run)) ?? { kind: 'limited', seconds: busySeconds };
}

async function checkSecondFactor(
  person: PendingUser,
  input: SecondStep,
  from: ClientInfo,
  now: Date,
): Promise<SecondFactorResult> {
  const { headers } = from;
  const guesser = { email: person.email, device: await knownDevice(headers, { email: person.email }) };
  const counted = await countAttempt('code', guesser, now);
  if ('refusedUntil' in counted) {
    countRefusal({ ...lockedRefusal, subject: `user:${person.id}` });
    return { kind: 'locked', until: counted.refusedUntil };
  }
  const error = async (kind: 'code' | 'used' | 'recovery' | 'passkey'): Promise<SecondFactorResult> => {
    await auditFailedCredential(person.id, kind === 'passkey' ? kind : 'code', counted, now);
    return counted.lockedUntil ? { kind: 'locked', until: counted.lockedUntil } : { kind, left: counted.left };
  };
  const before = await credentialsOf({ id: person.id });
  const taken = await checkSecondStep(person, input, now);
  if (taken === 'lost') {
    await uncountAttempt('code', guesser);
    return { kind: 'lost' };
  }
  if (taken !== 'right') return error(input.way === 'totp' ? (taken === 'used' ? 'used' : 'code') : input.way);
  const started = await startSession(person.id, from, { pending: true, before });
  if (!started) return { kind: 'gone' };
  const known = await recordSignIn({ ...person, ...guesser }, secondProofs[input.way], headers, now);
  return { kind: 'done', setCookie: [...started, known] };
}

const secondProofs = { totp: 'authenticator', recovery: 'recovery code', passkey: 'password and passkey' } as const;

async function checkSecondStep({ id, pending }: PendingUser, input: SecondStep, now: Date): Promise<CodeCheck> {
  if ('code' in input) return (input.way === 'totp' ? consumeCode : consumeRecoveryCode)(id, input.code);
  const isRight = await consumeAssertion(id, { purpose: 'second_step', owner: pending }, input.passkey, now);
  return isRight ? 'right' : 'wrong';
}

/** Signs a user in by a passkey alone. */
export async function signInWithPasskey(passkey: Assertion, from: ClientInfo, now: Date): Promise<PasskeySignInResult> {
  const person = await findPasskeyOwner(passkey);
  if (!person) {
    countRefusal(unknownPasskeyRefusal);
    return { kind: 'passkey', left: null };
  }
  const { id, email } = person;
  const guesser = { email, device: await knownDevice(from.headers, { email }) };
  const counted = await countAttempt('code', guesser, now);
  if ('refusedUntil' in counted) {
    countRefusal({ ...lockedRefusal, subject: `user:${id}` });
    return { kind: 'locked', until: counted.refusedUntil };
  }
  const before = await credentialsOf({ id });
  const right = await consumeAssertion(id, { purpose: 'sign_in', owner: null }, passkey, now);
  const started = right ? await startSession(id, from, { pending: false, before }) : null;
  if (!started) {
    await auditFailedSignIn(person, 'passkey', now);
    return (await lockedResult(counted, email, now)) ?? { kind: 'passkey', left: counted.left };
  }
  return {
    kind: 'done',
    setCookie: [...started, await recordSignIn({ id, ...guesser }, 'passkey', from.headers, now)],
  };
}

/**
 * The options with which a browser asks for a passkey. Null if the request has no pending sign-in for the second step,
 * or no session for a confirmation, which may be locked.
 */
export async function passkeyOptions(purpose: 'sign_in' | 'second_step' | 'confirmation', headers: Headers) {
  if (purpose === 'sign_in') return assertionOptions({ purpose, owner: null }, null);
  if (purpose === 'second_step') {
    const person = await findPendingSignIn(headers);
    return person && assertionOptions({ purpose, owner: person.pending }, person.id);
  }
  const { viewer, locked, session } = await authenticate(headers, { unattended: true });
  const person = viewer ?? locked;
  return person && session && assertionOptions({ purpose, owner: session.id }, person.id);
}

/**
 * The cookies of a new session; null for a deactivated user, without the pending sign-in of the request, or if the user's
 * credentials are no longer those of `before`, when they were checked.
 */
async function startSession(
  userId: string,
  from: ClientInfo,
  { pending, before }: { pending: boolean; before: string | null },
): Promise<string[] | null> {
  const { api } = await auth();
  const headers = new Headers({ ...headersOf(from), cookie: from.headers.get('cookie') ?? '' });
  const started = await api.startSession({ body: { userId, pending }, headers, returnHeaders: true });
  const cookies = started.response ? started.headers.getSetCookie() : null;
  return cookies && (await endIfChanged(userId, before, cookies)) ? null : cookies;
}

/**
 * Ends what a sign-in has begun if the user's credentials have changed while it was checked: a change ends the sessions
 * that it finds, and this one may have begun afterwards.
 */
async function endIfChanged(userId: string, before: string | null, setCookie: string[]): Promise<boolean> {
  if ((await credentialsOf({ id: userId })) === before) return false;
  await endFormerSession(new Headers({ cookie: setCookie.map((cookie) => cookie.split(';')[0]).join('; ') }));
  const pending = { value: userId, identifier: { startsWith: pendingPrefix } };
  await prisma().userVerification.deleteMany({ where: pending });
  return true;
}

type PendingUser = { id: string; email: string; pending: string };

/** The user of the pending sign-in in the cookie, and its id; null if it has expired. */
export async function findPendingSignIn(headers: Headers): Promise<PendingUser | null> {
  const { createAuthCookie } = await (await auth()).$context;
  const { name } = createAuthCookie('two_factor');
  const value = cookieIn(headers, name) ?? '';
  // The library verifies the signature, which follows the dot, before it creates a session.
  const identifier = /^[\w-]+/.exec(value)?.[0] ?? '';
  if (!identifier.startsWith(pendingPrefix)) return null;
  const stored = await prisma().userVerification.findFirst({ where: { identifier, expiresAt: { gt: new Date() } } });
  if (!stored) return null;
  const person = await prisma().user.findFirst({ where: { id: stored.value, disabledAt: null } });
  return person && { id: person.id, email: person.email, pending: identifier };
}

/** Ends the session of these headers; returns the cookies that remove it from the browser. */
export async function signOut(headers: Headers, now: Date): Promise<string[]> {
  const { viewer: active, locked } = await authenticate(headers);
  const viewer = active ?? locked;
  const answer = await callAuthLibrary('/sign-out', {}, { cookie: headers.get('cookie') ?? '' });
  if (!answer.ok) throw new Error(`the session was not ended: ${answer.status}`);
  if (viewer) await audit({ actor: `user:${viewer.id}`, action: 'sign_out', subject: `user:${viewer.id}` }, now);
  return answer.headers.getSetCookie();
}

// The library's rate limiter runs for requests only, so it is called with one. The origin was checked before.
async function callAuthLibrary(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const { handler } = await auth();
  return handler(
    new Request(`${dashboardBaseUrl()}${authPath}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: dashboardBaseUrl(), ...headers },
      body: JSON.stringify(body),
    }),
  );
}

function headersOf({ address, userAgent }: ClientInfo): Record<string, string> {
  return { [addressHeader]: address, ...(userAgent !== null && { 'user-agent': userAgent }) };
}

// An email without an account is not recorded: a password may have been typed into its field.
async function subjectOfEmail(email: string): Promise<string> {
  const person = await prisma().user.findUnique({ where: { email: email.toLowerCase() }, select: { id: true } });
  return person ? `user:${person.id}` : unknownSubject;
}

// Anyone can send passwords for emails without an account, so these are counted.
async function auditFailedSignIn(
  person: { id: string; merchantId: string | null } | null,
  proof: 'password' | 'passkey',
  now: Date,
): Promise<void> {
  if (!person) return countRefusal(unknownAccountRefusal);
  const { id, merchantId } = person;
  const subject = `user:${id}`;
  await audit({ actor: 'unauthenticated', action: 'sign_in.failed', subject, after: { proof }, merchantId }, now);
}

async function lockedResult(counted: SignInAttempt, email: string, now: Date): Promise<Blocked | null> {
  if (counted.lockedUntil === null) return null;
  const subject = await subjectOfEmail(email);
  if (subject !== unknownSubject) await audit({ actor: 'unauthenticated', action: 'sign_in.locked', subject }, now);
  return { kind: 'locked', until: counted.lockedUntil };
}

/** Records a sign-in; returns the cookie of a known browser. */
async function recordSignIn(
  person: Guesser & { id: string },
  proof: 'password' | 'authenticator' | 'recovery code' | 'password and passkey' | 'passkey',
  headers: Headers,
  now: Date,
): Promise<string> {
  if (proof !== 'passkey') await clearFailures('password', person);
  if (proof !== 'password') await clearFailures('code', person);
  const actor = `user:${person.id}`;
  await audit({ actor, action: 'sign_in', subject: actor, after: { proof } }, now);
  await prisma().user.update({ where: { id: person.id }, data: { signedInAt: now } });
  await endFormerSession(headers);
  return deviceCookie(person.email, person.device);
}

// The browser forgets the session that it had, so no user could end it by signing out.
async function endFormerSession(headers: Headers): Promise<void> {
  const { session } = await authenticate(headers, { unattended: true });
  if (session) await prisma().userSession.deleteMany({ where: { id: session.id } });
}
