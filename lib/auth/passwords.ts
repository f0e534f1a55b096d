/** Verifies, changes and sets passwords outside of the sign-in, stored in better-auth's own row. */

import { v7 } from 'uuid';
import { prisma } from '../db/index.ts';
import { deviceCookie, knownDevice } from './known-devices.ts';
import { newToken, tokenDigest } from './one-time-links.ts';
import { hashPassword, isOutdatedHash, verifyPassword } from './password-hash.ts';
import { usedMax } from './password-rules.ts';
import { endSessions } from './sessions.ts';
import { clearFailures } from './sign-in-lock.ts';
import { resetMinutes } from './time-limits.ts';

/** Whether this is the user's password. */
export async function isPasswordCorrect(userId: string, password: string): Promise<boolean> {
  const stored = await prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' } });
  return stored?.password ? verifyPassword({ hash: stored.password, password }) : false;
}

/** Replaces the hash of a password that was just verified, if it has outdated parameters. */
export async function renewPasswordHash(userId: string, password: string): Promise<void> {
  const stored = await prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' } });
  if (!stored?.password || !isOutdatedHash(stored.password)) return;
  const where = { id: stored.id, password: stored.password };
  await prisma().userAccount.updateMany({ where, data: { password: await hashPassword(password) } });
}

/** The hash of the user's password; null without one. */
export async function passwordHashOf(userId: string): Promise<string | null> {
  const stored = await prisma().userAccount.findFirst({ where: { userId, providerId: 'credential' } });
  return stored?.password ?? null;
}

/**
 * Sets the user's password; the former one is kept as a hash, so that it is not used again. Sign-ins that wait for the
 * second factor after the former one end, and so do links to a new password. With `proved`, the hash that the user has proved to
 * know, false if another password was set meanwhile, as by a link in an email: that one stays.
 */
export async function setPassword(userId: string, password: string, proved?: string | null): Promise<boolean> {
  const hash = await hashPassword(password);
  const id = { providerId_accountId: { providerId: 'credential', accountId: userId } };
  return prisma().$transaction(async (tx) => {
    await tx.$queryRaw`select 1 from user_accounts where provider_id = 'credential' and account_id = ${userId} for update`;
    const former = await tx.userAccount.findUnique({ where: id, select: { password: true } });
    if (proved !== undefined && (former?.password ?? null) !== proved) return false;
    const kept = await tx.formerPassword.findMany({ where: { userId }, orderBy: { id: 'desc' }, take: usedMax - 2 });
    const created = { id: userId, userId, providerId: 'credential', accountId: userId, password: hash };
    await tx.userAccount.upsert({ where: id, create: created, update: { password: hash } });
    await tx.formerPassword.deleteMany({ where: { userId, id: { notIn: kept.map((each) => each.id) } } });
    if (former?.password) await tx.formerPassword.create({ data: { id: v7(), userId, password: former.password } });
    await tx.userVerification.deleteMany({
      where: { value: userId, OR: [prefix, pendingPrefix].map((startsWith) => ({ identifier: { startsWith } })) },
    });
    return true;
  });
}

/** The maximum number of links per user and hour. */
const linksMax = 3;

export type PasswordReset = { token: string; userId: string; name: string; email: string; expiresAt: Date };

/** A link for the user with this email; null without one, for a deactivated user, or over the limit. */
export async function createPasswordReset(email: string, now: Date): Promise<PasswordReset | null> {
  const person = await prisma().user.findFirst({ where: { email: email.trim().toLowerCase(), disabledAt: null } });
  if (!person) return null;
  const token = newToken();
  const expiresAt = new Date(now.getTime() + resetMinutes * 60_000);
  const isCreated = await prisma().$transaction(async (tx) => {
    // One at a time for a user: concurrent requests would all see the same number of links.
    await tx.$executeRaw`select pg_advisory_xact_lock(hashtext('florin.reset'), hashtext(${person.id}))`;
    const open = { value: person.id, identifier: { startsWith: prefix }, expiresAt: { gt: now } };
    if ((await tx.userVerification.count({ where: open })) >= linksMax) return false;
    await tx.userVerification.create({ data: { id: v7(), identifier: keyOf(token), value: person.id, expiresAt } });
    return true;
  });
  if (!isCreated) return null;
  return { token, expiresAt, userId: person.id, name: person.name, email: person.email };
}

/** The user of a link; null for a used, expired or unknown link. */
export async function findPasswordResetUser(
  token: string,
  now: Date,
): Promise<{ id: string; email: string; name: string; twoFactorEnabled: boolean } | null> {
  const stored = await prisma().userVerification.findFirst({
    where: { identifier: keyOf(token), expiresAt: { gt: now } },
  });
  return stored ? prisma().user.findFirst({ where: { id: stored.value, disabledAt: null } }) : null;
}

/**
 * Sets the new password, once, and ends every session; null for an invalid link. The headers are the browser's: the
 * returned cookie keeps it known, if it was.
 */
export async function completePasswordReset(
  token: string,
  password: string,
  headers: Headers,
  now: Date,
): Promise<string[] | null> {
  const person = await findPasswordResetUser(token, now);
  if (!person) return null;
  const { count } = await prisma().userVerification.deleteMany({ where: { identifier: keyOf(token) } });
  if (count === 0) return null;
  const { email } = person;
  const known = await knownDevice(headers, { email });
  await setPassword(person.id, password);
  await endSessions(person.id);
  // The mailbox proves the identity, so the password lock is cleared. A locked second factor stays locked.
  for (const device of new Set([null, known])) await clearFailures('password', { email, device });
  return known === null ? [] : [await deviceCookie(email, known)];
}

const prefix = 'reset:';
/** Of a pending sign-in, as better-auth names it. */
export const pendingPrefix = '2fa-';

function keyOf(token: string): string {
  return prefix + Buffer.from(tokenDigest(token)).toString('hex');
}
