/**
 * What a new password must be: PCI DSS 4.0.1, 8.3.6 (12 characters, a letter and a digit) and 8.3.7 (none of the last
 * four), and OWASP ASVS 5, 6.2.4 (no common one). Common and guessable passwords are recognised by zxcvbn, whose word
 * lists are part of the installation: no password leaves the process.
 */
import type { ZxcvbnFactory } from '@zxcvbn-ts/core';
import { prisma } from '../db/index.ts';
import { passwordLength } from './auth.ts';
import { verifyPassword } from './password-hash.ts';

/** Of 4. Up to 2, a password is found within 10^8 guesses. */
const scoreLeast = 3;
/**
 * The estimate occupies the process for longer with each character: 37 ms at most for 32, 67 ms for 64. A strong beginning
 * is a strong password.
 */
const estimatedLength = 32;
/** Words that an attacker of this product tries first. */
const ownWords = ['florin', 'dashboard', 'payment', 'merchant'];

const separators = /[^\p{L}\p{N}]+/gu;

export type PasswordOwner = { email: string; name?: string };

/** The error of a new password as a sentence; null if it is valid. */
export async function passwordError(password: string, owner: PasswordOwner): Promise<string | null> {
  const { least, most } = passwordLength;
  if (password.length < least) return `Enter at least ${least} characters.`;
  if (password.length > most) return `Enter at most ${most} characters.`;
  if (!/\p{L}/u.test(password) || !/\p{N}/u.test(password)) return 'Use at least one letter and one digit.';
  const names = [owner.email, owner.email.split('@')[0] ?? '', owner.name ?? ''];
  const words = names.flatMap((name) => [name, ...name.split(separators), name.replaceAll(separators, '')]);
  const inputs = [...ownWords, ...words.filter((word) => word.length > 2)];
  const { score } = (await estimator()).check(password.slice(0, estimatedLength), inputs);
  return score < scoreLeast ? 'This password is easy to guess. Use several words that do not belong together.' : null;
}

/** How many passwords a user may not use again, with the current one. */
export const usedMax = 4;

/** Whether this is one of the user's last four passwords. */
export async function isUsedPassword(userId: string, password: string): Promise<boolean> {
  const [current, former] = await Promise.all([
    prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' }, select: { password: true } }),
    prisma().formerPassword.findMany({ where: { userId }, orderBy: { id: 'desc' }, take: usedMax - 1 }),
  ]);
  for (const hash of [current?.password, ...former.map((each) => each.password)]) {
    if (hash && (await verifyPassword({ hash, password }))) return true;
  }
  return false;
}

export const usedPasswordError = 'You have used this password before. Choose one that differs from your last four.';

let estimating: Promise<ZxcvbnFactory> | undefined;

// The word lists need some megabytes: they are loaded when the first password is set.
function estimator(): Promise<ZxcvbnFactory> {
  estimating ??= Promise.all([import('@zxcvbn-ts/core'), import('@zxcvbn-ts/language-common')]).then(
    ([{ ZxcvbnFactory: Factory }, { adjacencyGraphs: graphs, dictionary }]) => new Factory({ graphs, dictionary }),
  );
  return estimating;
}
