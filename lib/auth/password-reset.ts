/**
 * A new password for somebody who has forgotten theirs: a link by e-mail, for an hour and once. It replaces the password
 * alone; a second factor is asked for as ever.
 */
import { v7 } from 'uuid';
import { prisma } from '../db';
import { resetMinutes } from './limits';
import { newToken, tokenDigest } from './links';
import { setPassword } from './passwords';
import { endSessions } from './sessions';
import { clearFailures } from './sign-in-lock';

/** How many links one person is sent within the hour, whoever asks for them. */
const linksMax = 3;

export type PasswordReset = { token: string; userId: string; name: string; email: string; expiresAt: Date };

/** A link for whoever has this e-mail; null where nobody has, where they were switched off, or have enough of them. */
export async function createPasswordReset(email: string, now: Date): Promise<PasswordReset | null> {
  const person = await prisma().user.findFirst({ where: { email: email.trim().toLowerCase(), disabledAt: null } });
  if (!person) return null;
  const open = await prisma().userVerification.count({
    where: { value: person.id, identifier: { startsWith: prefix }, expiresAt: { gt: now } },
  });
  if (open >= linksMax) return null;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + resetMinutes * 60_000);
  await prisma().userVerification.create({
    data: { id: v7(), identifier: keyOf(token), value: person.id, expiresAt },
  });
  return { token, expiresAt, userId: person.id, name: person.name, email: person.email };
}

/** Whose password a link replaces; null for a link that is used up, too old, or none. */
export async function findPasswordResetUser(
  token: string,
  now: Date,
): Promise<{ id: string; email: string; twoFactorEnabled: boolean } | null> {
  const kept = await prisma().userVerification.findFirst({
    where: { identifier: keyOf(token), expiresAt: { gt: now } },
  });
  return kept ? prisma().user.findFirst({ where: { id: kept.value, disabledAt: null } }) : null;
}

/** Sets the new password, once, and ends every session; false for a link that no longer holds. */
export async function completePasswordReset(token: string, password: string, now: Date): Promise<boolean> {
  const person = await findPasswordResetUser(token, now);
  if (!person) return false;
  const { count } = await prisma().userVerification.deleteMany({ where: { identifier: keyOf(token) } });
  if (count === 0) return false;
  await setPassword(person.id, password);
  await prisma().userVerification.deleteMany({ where: { value: person.id, identifier: { startsWith: prefix } } });
  await endSessions(person.id);
  // The mailbox has proved who it is. A second factor that was guessed at stays locked: the mailbox is no part of it.
  await clearFailures('password', person.email);
  return true;
}

const prefix = 'reset:';

function keyOf(token: string): string {
  return prefix + Buffer.from(tokenDigest(token)).toString('hex');
}
