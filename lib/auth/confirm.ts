/**
 * Proving once more who one is, for what a forgotten open browser should not be able to do. Wrong answers count together
 * with those of the sign-in.
 */
import { audit } from './audit';
import { countTry, forgetFailures } from './lock';
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
  const counted = await countTry(viewer.email, now);
  if ('refusedUntil' in counted) return { kind: 'locked', until: counted.refusedUntil };
  const taken = await takeProof(viewer.id, proof);
  if (taken === 'right') {
    await forgetFailures(viewer.email);
    return { kind: 'done' };
  }
  if (counted.lockedUntil === null) return { kind: 'wrong', left: counted.left, used: taken === 'used' };
  await audit({ actor: `user:${viewer.id}`, action: 'sign_in.locked', subject: `user:${viewer.id}` }, now);
  return { kind: 'locked', until: counted.lockedUntil };
}

async function takeProof(userId: string, proof: Proof): Promise<CodeTaken> {
  if ('password' in proof) return (await passwordFits(userId, proof.password)) ? 'right' : 'wrong';
  return /^\d{6}$/.test(proof.code) ? takeCode(userId, proof.code) : takeRecoveryCode(userId, proof.code);
}
