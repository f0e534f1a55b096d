/**
 * A user's second factor: the authenticator's secret, encrypted, and the recovery codes, as hashes, in better-auth's row,
 * and the passkeys of passkeys.ts. A code is accepted once, a new authenticator is active only after its first code, and
 * a user with passkeys only has recovery codes.
 */
import { randomBytes } from 'node:crypto';
import { v7 } from 'uuid';
import { prisma } from '../db/index.ts';
import { auth } from './auth.ts';
import { countSecrets, hashSecrets, isHashed, removeSecret } from './password-hash.ts';
import { newRecoveryCodes, readRecoveryCode } from './recovery-codes.ts';
import { enrolSeconds } from './time-limits.ts';
import { keyUri, stepOf } from './totp.ts';

/**
 * The outcome of a code: `used` is right but was used before. `lost`: the authenticator's secret, or recovery codes of an
 * earlier release, cannot be decrypted, because the secret of sessions was replaced (`vault rotate --sessions`).
 */
export type CodeCheck = 'right' | 'wrong' | 'used' | 'lost';

/** How a user proves their identity. `code`: of the authenticator; a recovery code is accepted in its place. */
export type ProofWay = 'passkey' | 'password' | 'code';

const secretCharacters = 32;

/** The kinds of a user's second factor, the simplest first; none without one. */
export async function secondFactorWays(userId: string): Promise<Exclude<ProofWay, 'password'>[]> {
  const [passkeys, authenticators] = await Promise.all([
    prisma().userPasskey.count({ where: { userId } }),
    prisma().userTwoFactor.count({ where: { userId, verified: true } }),
  ]);
  return [...(passkeys > 0 ? (['passkey'] as const) : []), ...(authenticators > 0 ? (['code'] as const) : [])];
}

/** How a user can confirm their identity, the simplest first. */
export async function confirmationWays(userId: string): Promise<ProofWay[]> {
  const ways = await secondFactorWays(userId);
  return (['passkey', 'password', 'code'] as const).filter((way) => way === 'password' || ways.includes(way));
}

/** How a user unlocks a session: by the second factor only, if there is one. */
export async function unlockingWays(userId: string): Promise<ProofWay[]> {
  const ways = await secondFactorWays(userId);
  return ways.length > 0 ? ways : ['password'];
}

/** Accepts a code of a user's authenticator, once. Times are those of the system clock. */
export async function consumeCode(userId: string, code: string): Promise<CodeCheck> {
  const stored = await prisma().userTwoFactor.findUnique({ where: { userId } });
  if (!stored?.verified) return 'wrong';
  const secret = await decryptSecret(stored.secret);
  if (secret === null) return 'lost';
  const step = stepOf(secret, code, new Date());
  if (step === null) return 'wrong';
  return (await claimStep(userId, step)) ? 'right' : 'used';
}

/** Accepts a recovery code of a user, once. */
export async function consumeRecoveryCode(userId: string, typed: string): Promise<CodeCheck> {
  const stored = await prisma().userTwoFactor.findUnique({ where: { userId } });
  if (!stored) return 'wrong';
  const hashes = await recoveryHashes(stored);
  if (hashes === null) return 'lost';
  const left = await removeSecret(hashes, readRecoveryCode(typed));
  if (left === null) return 'wrong';
  // Of two concurrent uses of a code, the second finds other hashes.
  return (await replaceHashes(userId, hashes, left)) ? 'right' : 'used';
}

/** The hashes of a user's recovery codes. Releases before 0.2.0 encrypted the codes: they are hashed at their first use. */
async function recoveryHashes({
  userId,
  backupCodes,
}: {
  userId: string;
  backupCodes: string;
}): Promise<string | null> {
  if (isHashed(backupCodes)) return backupCodes;
  const codes = await decryptSecret(backupCodes);
  if (codes === null) return null;
  const hashes = await hashSecrets(JSON.parse(codes) as string[]);
  await replaceHashes(userId, backupCodes, hashes);
  return hashes;
}

async function replaceHashes(userId: string, backupCodes: string, fresh: string): Promise<boolean> {
  const data = { backupCodes: fresh };
  return (await prisma().userTwoFactor.updateMany({ where: { userId, backupCodes }, data })).count > 0;
}

async function claimStep(userId: string, step: number): Promise<boolean> {
  const { count } = await prisma().userTwoFactor.updateMany({
    where: { userId, OR: [{ lastStep: null }, { lastStep: { lt: step } }] },
    data: { lastStep: step },
  });
  return count > 0;
}

/** The number of unused recovery codes; null without a second factor. */
export async function recoveryCodesLeft(userId: string): Promise<number | null> {
  const stored = await prisma().userTwoFactor.findUnique({ where: { userId } });
  return stored && countSecrets((await recoveryHashes(stored)) ?? '');
}

/** An authenticator during its setup: the URI for the app, and the secret to type. */
export type Enrolment = { uri: string; secret: string };

/**
 * The secret of a person's authenticator during its setup: a reload keeps it, so that a scanned code stays valid, unless
 * `fresh`. It belongs to the session: another session of a stolen password gets a secret of its own. The
 * authenticator's app lists it under `issuer` and the person's email address.
 */
export async function startEnrolment(
  { email }: { email: string },
  sessionId: string,
  issuer: string,
  { fresh = false }: { fresh?: boolean } = {},
): Promise<Enrolment> {
  const stored = fresh ? null : await pendingSecret(sessionId);
  const secret = stored ?? newSecret();
  if (stored === null) {
    await endEnrolment(sessionId);
    const expiresAt = new Date(Date.now() + enrolSeconds * 1000);
    const value = await encryptSecret(secret);
    await prisma().userVerification.create({
      data: { id: v7(), identifier: enrolmentKey(sessionId), value, expiresAt },
    });
  }
  return { secret, uri: keyUri(secret, issuer, email) };
}

function newSecret(): string {
  return randomBytes(64)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, '')
    .slice(0, secretCharacters);
}

/** Activates the new authenticator with its first code; the previous one ends. Returns new recovery codes. */
export async function completeEnrolment(
  userId: string,
  sessionId: string,
  code: string,
): Promise<string[] | 'wrong' | 'late'> {
  const secret = await pendingSecret(sessionId);
  if (secret === null) return 'late';
  const step = stepOf(secret, code, new Date());
  if (step === null) return 'wrong';
  const codes = newRecoveryCodes();
  const row = {
    secret: await encryptSecret(secret),
    backupCodes: await hashSecrets(codes),
    verified: true,
    lastStep: step,
    failedVerificationCount: 0,
    lockedUntil: null,
  };
  await prisma().$transaction([
    prisma().userTwoFactor.upsert({ where: { userId }, create: { id: v7(), userId, ...row }, update: row }),
    prisma().user.update({ where: { id: userId }, data: { twoFactorEnabled: true } }),
    endEnrolment(sessionId),
  ]);
  return codes;
}

/** Replaces a user's ten recovery codes; the old ones become invalid. */
export async function regenerateRecoveryCodes(userId: string): Promise<string[]> {
  const codes = newRecoveryCodes();
  await prisma().userTwoFactor.update({ where: { userId }, data: { backupCodes: await hashSecrets(codes) } });
  return codes;
}

/** The row of a user with passkeys only: new recovery codes, and a secret that no authenticator has. */
export async function newRecoveryRow(userId: string) {
  const codes = newRecoveryCodes();
  const secret = await encryptSecret(newSecret());
  const backupCodes = await hashSecrets(codes);
  return { codes, row: { id: v7(), userId, secret, backupCodes, verified: false } };
}

/** Removes a user's second factor: authenticator, passkeys and recovery codes. */
export async function removeSecondFactor(userId: string): Promise<void> {
  await prisma().$transaction([
    prisma().userTwoFactor.deleteMany({ where: { userId } }),
    prisma().userPasskey.deleteMany({ where: { userId } }),
    prisma().user.updateMany({ where: { id: userId }, data: { twoFactorEnabled: false } }),
  ]);
}

const endEnrolment = (sessionId: string) =>
  prisma().userVerification.deleteMany({ where: { identifier: enrolmentKey(sessionId) } });

const enrolmentKey = (sessionId: string) => `enrolment:${sessionId}`;

async function pendingSecret(sessionId: string): Promise<string | null> {
  const stored = await prisma().userVerification.findFirst({
    where: { identifier: enrolmentKey(sessionId), expiresAt: { gt: new Date() } },
  });
  return stored ? decryptSecret(stored.value) : null;
}

async function encryptSecret(text: string): Promise<string> {
  const { symmetricEncrypt } = await import('better-auth/crypto');
  return symmetricEncrypt({ key: (await (await auth()).$context).secretConfig, data: text });
}

/** Null for what was encrypted under an earlier secret of sessions. */
async function decryptSecret(text: string): Promise<string | null> {
  const { symmetricDecrypt } = await import('better-auth/crypto');
  const { secretConfig: key } = await (await auth()).$context;
  return symmetricDecrypt({ key, data: text }).catch(() => null);
}
