/** Passwords outside of the sign-in: proving, changing and setting one. Kept by better-auth's hash in its own row. */
import { prisma } from '../db';
import { passwordLength } from './auth';

/** Whether this is the person's password. */
export async function isPasswordCorrect(userId: string, password: string): Promise<boolean> {
  const { verifyPassword } = await import('better-auth/crypto');
  const kept = await prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' } });
  return kept?.password ? verifyPassword({ hash: kept.password, password }) : false;
}

/** Gives a person this password. */
export async function setPassword(userId: string, password: string): Promise<void> {
  const { hashPassword } = await import('better-auth/crypto');
  const hash = await hashPassword(password);
  await prisma().userAccount.upsert({
    where: { providerId_accountId: { providerId: 'credential', accountId: userId } },
    create: { id: userId, userId, providerId: 'credential', accountId: userId, password: hash },
    update: { password: hash },
  });
}

/** What is wrong with a new password, in a sentence; null for nothing. Length is what makes one strong. */
export function passwordError(password: string, email: string): string | null {
  const { least, most } = passwordLength;
  if (password.length < least) return `Write at least ${least} characters.`;
  if (password.length > most) return `Write at most ${most} characters.`;
  if (new Set(password).size < 5) return 'Write at least five different characters.';
  const name = email.split('@')[0] ?? '';
  const plain = password.toLowerCase();
  if (plain === email.toLowerCase() || (name.length > 3 && plain.replace(/[^a-z]/g, '') === name.toLowerCase())) {
    return 'Your own address is the first thing that others try.';
  }
  return null;
}
