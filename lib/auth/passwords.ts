/** Verifies, changes and sets passwords outside of the sign-in, stored with better-auth's hash in its own row. */
import { prisma } from '../db/index.ts';
import { passwordLength } from './auth.ts';

/** Whether this is the user's password. */
export async function isPasswordCorrect(userId: string, password: string): Promise<boolean> {
  const { verifyPassword } = await import('better-auth/crypto');
  const stored = await prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' } });
  return stored?.password ? verifyPassword({ hash: stored.password, password }) : false;
}

/** Sets the user's password. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const { hashPassword } = await import('better-auth/crypto');
  const hash = await hashPassword(password);
  await prisma().userAccount.upsert({
    where: { providerId_accountId: { providerId: 'credential', accountId: userId } },
    create: { id: userId, userId, providerId: 'credential', accountId: userId, password: hash },
    update: { password: hash },
  });
}

/** The error of a new password as a sentence; null if it is valid. Length makes a password strong. */
export function passwordError(password: string, email: string): string | null {
  const { least, most } = passwordLength;
  if (password.length < least) return `Enter at least ${least} characters.`;
  if (password.length > most) return `Enter at most ${most} characters.`;
  if (new Set(password).size < 5) return 'Use at least five different characters.';
  const name = email.split('@')[0] ?? '';
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase() || (name.length > 3 && plain.replace(/[^a-z]/g, '') === name.toLowerCase())) {
    return 'Do not use your own email address.';
  }
  return null;
}
