/**
 * Proves a user's identity again before sensitive actions, in case a browser was left open. Wrong answers count
 * together with those of the sign-in, passwords and codes separately, and each is written to the audit log.
 */
import { audit } from './audit.ts';
import type { Session } from './authenticate.ts';
import { type Assertion, consumeAssertion } from './passkeys.ts';
import { busySeconds, runInTurn } from './password-turns.ts';
import { isPasswordCorrect } from './passwords.ts';
import { countRefusal, lockedRefusal } from './refused-requests.ts';
import type { Viewer } from './roles.ts';
import { type CodeCheck, consumeCode, consumeRecoveryCode, type ProofWay } from './second-factor.ts';
import { clearFailures, countAttempt, type SignInAttempt, uncountAttempt } from './sign-in-lock.ts';

export type Credential = { password: string } | { code: string } | { passkey: Assertion };

/**
 * The outcome of a proof. `used`: the code is right but was used before. `lost`: as {@link CodeCheck}. `limited`: not
 * checked, because too many wait, or because one of the user runs.
 */
export type ConfirmResult =
  | { kind: 'done' }
  | { kind: 'wrong'; left: number; used: boolean }
  | { kind: 'lost' }
  | { kind: 'locked'; until: Date }
  | { kind: 'limited'; seconds: number };

/** Checks a password, a code of the user's authenticator, a recovery code, or a passkey, for the user's session. */
export async function confirmIdentity(
  viewer: Viewer,
  session: Pick<Session, 'id' | 'device'>,
  proof: Credential,
  now: Date,
): Promise<ConfirmResult> {
  const run = () => confirmInTurn(viewer, session, proof, now);
  return (await runInTurn(viewer, run)) ?? { kind: 'limited', seconds: busySeconds };
}

async function confirmInTurn(
  viewer: Viewer,
  session: Pick<Session, 'id' | 'device'>,
  proof: Credential,
  now: Date,
): Promise<ConfirmResult> {
  const guessed = 'password' in proof ? 'password' : 'code';
  const guesser = { email: viewer.email, device: session.device };
  const counted = await countAttempt(guessed, guesser, now);
  if ('refusedUntil' in counted) {
    countRefusal({ ...lockedRefusal, subject: `user:${viewer.id}` });
    return { kind: 'locked', until: counted.refusedUntil };
  }
  const taken = await checkCredential(viewer.id, session.id, proof, now);
  if (taken === 'right') {
    await clearFailures(guessed, guesser);
    return { kind: 'done' };
  }
  if (taken === 'lost') {
    await uncountAttempt(guessed, guesser);
    return { kind: 'lost' };
  }
  await auditFailedCredential(viewer.id, 'passkey' in proof ? 'passkey' : guessed, counted, now);
  if (counted.lockedUntil === null) return { kind: 'wrong', left: counted.left, used: taken === 'used' };
  return { kind: 'locked', until: counted.lockedUntil };
}

/** Logs a wrong password, code or passkey of a known user, and the lock if it was the last attempt. */
export async function auditFailedCredential(
  userId: string,
  proof: ProofWay,
  { lockedUntil }: SignInAttempt,
  now: Date,
): Promise<void> {
  const actor = { actor: `user:${userId}`, subject: `user:${userId}` };
  await audit({ ...actor, action: 'proof.wrong', after: { proof } }, now);
  if (lockedUntil !== null) await audit({ ...actor, action: 'sign_in.locked', after: { proof } }, now);
}

async function checkCredential(userId: string, sessionId: string, proof: Credential, now: Date): Promise<CodeCheck> {
  if ('passkey' in proof) {
    const use = { purpose: 'confirmation', owner: sessionId } as const;
    return (await consumeAssertion(userId, use, proof.passkey, now)) ? 'right' : 'wrong';
  }
  if ('password' in proof) return (await isPasswordCorrect(userId, proof.password)) ? 'right' : 'wrong';
  return /^\d{6}$/.test(proof.code) ? consumeCode(userId, proof.code) : consumeRecoveryCode(userId, proof.code);
}
