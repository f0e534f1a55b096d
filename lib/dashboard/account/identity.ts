/** What a user sends to prove their identity, in bodies of the account and of the sign-in, and its checks in a session. */
import { z } from 'zod';
import {
  type Assertion,
  audit,
  authenticate,
  busySeconds,
  type ConfirmResult,
  type Credential,
  confirmationWays,
  confirmIdentity,
  isConfirmed,
  type NewPasskey,
  renewSession,
  runInTurn,
  type Session,
  secondFactorRequired,
  type Viewer,
} from '../../auth/index.ts';
import { retryAfterForUser } from '../../risk/index.ts';
import { DashboardError, identityUnconfirmed, invalid, parseBody, tooMany } from '../errors.ts';
import type { DashboardRequest } from '../guard.ts';
import { signInErrorText } from '../sign-in/labels.ts';

export const passwordField = z.string('Enter your password.').min(1, 'Enter your password.').max(128);

/** Six digits of an authenticator, with any grouping, or a recovery code. */
export const codeField = z
  .string('Enter the code.')
  .max(64)
  .transform((text) => text.replace(/\s/g, ''))
  .pipe(z.string().min(6, 'Enter the six digits of the code.'));

const base64url = z.string('The passkey is incomplete.').regex(/^[\w-]*$/, 'The passkey is not valid.');
const credential = { id: base64url.min(1).max(1400), rawId: base64url, type: z.literal('public-key') };

// The library verifies the parts; extensions are not used.
const withoutExtensions = <Part extends object>(part: Part) => ({ ...part, clientExtensionResults: {} });

/** A passkey that signs in or confirms, as browsers send it. */
export const assertionField: z.ZodType<Assertion> = z
  .object({
    ...credential,
    response: z
      .object({
        clientDataJSON: base64url,
        authenticatorData: base64url,
        signature: base64url,
        userHandle: base64url.optional(),
      })
      .transform(({ userHandle, ...rest }) => (userHandle === undefined ? rest : { ...rest, userHandle })),
  })
  .transform(withoutExtensions);

/** A new passkey, as browsers send it. */
export const newPasskeyField: z.ZodType<NewPasskey> = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: base64url,
      attestationObject: base64url,
      transports: z
        .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']))
        .max(7)
        .catch([]),
    }),
  })
  .transform(withoutExtensions);

/** One of the ways to confirm. */
export const proofForm = z.object({
  password: passwordField.optional(),
  code: codeField.optional(),
  passkey: assertionField.optional(),
});

type Proof = z.infer<typeof proofForm>;

/** Checks a proof within the user's limit of proofs, which right ones count for, too: each may be a hash. */
async function prove(viewer: Viewer, session: Session, proof: Credential, now: Date): Promise<ConfirmResult> {
  const seconds = retryAfterForUser('proof', viewer.id);
  return seconds > 0 ? { kind: 'limited', seconds } : confirmIdentity(viewer, session, proof, now);
}

/** Runs what hashes passwords or recovery codes in the turn of the user. */
export async function inOwnTurn<T extends object | string>(
  { viewer }: DashboardRequest,
  run: () => Promise<T>,
): Promise<T> {
  const done = await runInTurn(viewer, run);
  if (done === null) throw tooMany(busySeconds);
  return done;
}

/**
 * Returns only for a valid proof, after which the session has another token. Throws an error with a message, for a
 * password or a code at its field.
 */
export async function requireIdentity(
  { viewer, session, setCookie, now }: Pick<DashboardRequest, 'viewer' | 'session' | 'setCookie' | 'now'>,
  { password, code, passkey }: Proof,
): Promise<void> {
  const [field, proof] =
    passkey !== undefined
      ? (['passkey', { passkey }] as const)
      : code !== undefined
        ? (['code', { code }] as const)
        : (['password', { password: password ?? '' }] as const);
  if (field === 'password' && password === undefined) throw invalid({ password: 'Enter your password.' });
  const proved = await prove(viewer, session, proof, now);
  if (proved.kind === 'done') {
    setCookie.push(...(await renewSession(session)));
    return;
  }
  if (proved.kind === 'limited') throw tooMany(proved.seconds, field === 'passkey' ? undefined : field);
  const at = (message: string) => (field === 'passkey' ? undefined : { [field]: message });
  if (proved.kind === 'locked') {
    const minutes = Math.max(1, Math.ceil((proved.until.getTime() - now.getTime()) / 60_000));
    const message = signInErrorText('locked', String(minutes));
    throw new DashboardError(429, message, at(message));
  }
  if (proved.kind === 'lost') throw invalid({ [field]: signInErrorText('lost', null) });
  const message = signInErrorText(proved.used ? 'used' : field, String(proved.left));
  throw new DashboardError(400, message, at(message));
}

/** Requires a code or a passkey, whenever the user last proved their identity. */
export async function requireSecondFactor(request: DashboardRequest): Promise<void> {
  const { code, passkey } = parseBody(proofForm, request.body);
  if (code === undefined && passkey === undefined) throw invalid({ code: 'Enter the code.' });
  await requireIdentity(request, passkey === undefined ? { code } : { passkey });
}

/** What a new second factor requires: the present one, or a recent proof. A user who must set one up has just signed in. */
export async function requireForNewFactor(request: DashboardRequest): Promise<void> {
  const { viewer, session } = request;
  if (session.secondFactor) return requireSecondFactor(request);
  if (!secondFactorRequired(viewer.role)) await requireRecentProof(request);
}

/** Returns only if the user has proved their identity within the last minutes. */
export async function requireRecentProof({
  viewer,
  session,
}: Pick<DashboardRequest, 'viewer' | 'session'>): Promise<void> {
  if (isConfirmed(session.confirmedAt, new Date())) return;
  throw identityUnconfirmed(await confirmationWays(viewer.id));
}

/** The outcome of unlocking a session. `gone`: there is none, or another factor was given than the session requires. */
export type UnlockResult =
  | { kind: 'done'; setCookie: string[] }
  | { kind: 'password' | 'code' | 'used' | 'passkey'; left: number }
  | { kind: 'gone' | 'lost' }
  | Extract<ConfirmResult, { kind: 'locked' | 'limited' }>;

/** Unlocks a session by the second factor, or by the password of a user without one. */
export async function unlockSession(proof: Credential, headers: Headers, now: Date): Promise<UnlockResult> {
  const { viewer, locked, session } = await authenticate(headers, { unattended: true });
  const person = locked ?? viewer;
  if (!person || !session || session.secondFactor === 'password' in proof) return { kind: 'gone' };
  const proved = await prove(person, session, proof, now);
  if (proved.kind === 'locked' || proved.kind === 'limited' || proved.kind === 'lost') return proved;
  if (proved.kind === 'wrong') {
    const kind = proved.used ? 'used' : 'passkey' in proof ? 'passkey' : 'code' in proof ? 'code' : 'password';
    return { kind, left: proved.left };
  }
  const actor = `user:${person.id}`;
  await audit({ actor, action: 'session.unlock', subject: actor }, now);
  return { kind: 'done', setCookie: await renewSession(session) };
}
