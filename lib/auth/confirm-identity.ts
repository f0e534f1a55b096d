/**
 * Proves a user's identity again before sensitive actions, in case a browser was left open. Wrong answers count
 * together with those of the sign-in, passwords and codes separately, and each is written to the audit log.
 */
import { audit } from './audit.ts';
import { isPasswordCorrect } from './passwords.ts';
import { countRefusal, lockedRefusal } from './refused-requests.ts';
import type { Viewer } from './roles.ts';
import { type CodeCheck, consumeCode, consumeRecoveryCode } from './second-factor.ts';
import { type CredentialKind, clearFailures, countAttempt, type SignInAttempt } from './sign-in-lock.ts';

export type Credential = { password: string } | { code: string };

/** The outcome of a proof. `used`: the code is right but was used before. */
export type ConfirmResult =
  | { kind: 'done' }
  | { kind: 'wrong'; left: number; used: boolean }
  | { kind: 'locked'; until: Date };

/** Checks a password, a code of the user's authenticator, or a recovery code. `device`: a known browser of the user. */
export async function confirmIdentity(
  viewer: Viewer,
  device: string | null,
  proof: Credential,
  now: Date,
): Promise<ConfirmResult> {
  const guessed = 'password' in proof ? 'password' : 'code';
  const guesser = { email: viewer.email, device };
  const counted = await countAttempt(guessed, guesser, now);
  if ('refusedUntil' in counted) {
    countRefusal({ ...lockedRefusal, subject: `user:${viewer.id}` });
    return { kind: 'locked', until: counted.refusedUntil };
  }
  const taken = await checkCredential(viewer.id, proof);
  if (taken === 'right') {
    await clearFailures(guessed, guesser);
    return { kind: 'done' };
  }
  await auditFailedCredential(viewer.id, guessed, counted, now);
  if (counted.lockedUntil === null) return { kind: 'wrong', left: counted.left, used: taken === 'used' };
  return { kind: 'locked', until: counted.lockedUntil };
}

/** Logs a wrong password or code of a known user, and the lock if it was the last attempt. */
export async function auditFailedCredential(
  userId: string,
  guessed: CredentialKind,
  { lockedUntil }: SignInAttempt,
  now: Date,
): Promise<void> {
  const actor = { actor: `user:${userId}`, subject: `user:${userId}` };
  await audit({ ...actor, action: 'proof.wrong', after: { proof: guessed } }, now);
  if (lockedUntil !== null) await audit({ ...actor, action: 'sign_in.locked', after: { proof: guessed } }, now);
}

async function checkCredential(userId: string, proof: Credential): Promise<CodeCheck> {
  if ('password' in proof) return (await isPasswordCorrect(userId, proof.password)) ? 'right' : 'wrong';
  return /^\d{6}$/.test(proof.code) ? consumeCode(userId, proof.code) : consumeRecoveryCode(userId, proof.code);
}
