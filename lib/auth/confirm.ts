/**
 * Proving once more who one is, for what a forgotten open browser should not be able to do. Wrong answers count together
 * with those of the sign-in, passwords and codes each by themselves, and each of them stands in the audit log.
 */
import { audit } from './audit';
import { countTry, forgetFailures, type Guessed, type Try } from './lock';
import { passwordFits } from './passwords';
import type { Viewer } from './roles';
import { type CodeTaken, takeCode, takeRecoveryCode } from './second-factor';

export type Proof = { password: string } | { code: string };

/** What became of a proof. `used`: the code is right and was taken before. */
export type Proved =
  | { kind: 'done' }
  | { kind: 'wrong'; left: number; used: boolean }
  | { kind: 'locked'; until: Date };

/** Takes a password, a code of the person's authenticator, or one of their recovery codes. */
export async function prove(viewer: Viewer, proof: Proof, now: Date): Promise<Proved> {
  const guessed = 'password' in proof ? 'password' : 'code';
  const counted = await countTry(guessed, viewer.email, now);
  if ('refusedUntil' in counted) return { kind: 'locked', until: counted.refusedUntil };
  const taken = await takeProof(viewer.id, proof);
  if (taken === 'right') {
    await forgetFailures(guessed, viewer.email);
    return { kind: 'done' };
  }
  await auditWrong(viewer.id, guessed, counted, now);
  if (counted.lockedUntil === null) return { kind: 'wrong', left: counted.left, used: taken === 'used' };
  return { kind: 'locked', until: counted.lockedUntil };
}

/** Writes down a wrong password or code of a known person, and the lock where it was the last one. */
export async function auditWrong(userId: string, guessed: Guessed, { lockedUntil }: Try, now: Date): Promise<void> {
  const who = { actor: `user:${userId}`, subject: `user:${userId}` };
  await audit({ ...who, action: 'proof.wrong', after: { proof: guessed } }, now);
  if (lockedUntil !== null) await audit({ ...who, action: 'sign_in.locked', after: { proof: guessed } }, now);
}

async function takeProof(userId: string, proof: Proof): Promise<CodeTaken> {
  if ('password' in proof) return (await passwordFits(userId, proof.password)) ? 'right' : 'wrong';
  return /^\d{6}$/.test(proof.code) ? takeCode(userId, proof.code) : takeRecoveryCode(userId, proof.code);
}
