/** Lists, ends and deletes users' sessions. Times are those of the system clock. */
import { prisma } from '../db/index.ts';
import type { PrismaClient } from '../prisma/client.ts';
import { auth } from './auth.ts';
import { deviceCookie } from './known-devices.ts';
import type { Viewer } from './roles.ts';
import { deleteExpiredFailures } from './sign-in-lock.ts';
import { idleSince } from './time-limits.ts';

/** A user's sessions, the one that was used last first; `usedAt` is the last use, to half a minute. */
export async function listUserSessions(userId: string) {
  const rows = await prisma().userSession.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { usedAt: 'desc' },
  });
  return rows.map(({ id, createdAt, usedAt, ipAddress, userAgent }) => {
    return { id, createdAt, usedAt, address: ipAddress || null, userAgent: userAgent || null };
  });
}

/** Ends one session of a user; false if it does not exist. */
export async function endSession(userId: string, id: string): Promise<boolean> {
  return (await prisma().userSession.deleteMany({ where: { id, userId } })).count > 0;
}

/** Ends every session of a user except `except`, and makes the user's browsers unknown; returns the number of sessions. */
export async function endSessions(userId: string, except: string | null = null): Promise<number> {
  return prisma().$transaction((tx) => endSessionsIn(tx, userId, except));
}

/** {@link endSessions} in the transaction of a change of the user. */
export async function endSessionsIn(
  tx: Pick<PrismaClient, 'user' | 'userSession'>,
  userId: string,
  except: string | null = null,
): Promise<number> {
  await tx.user.updateMany({ where: { id: userId }, data: { devicesSince: new Date() } });
  const where = { userId, ...(except !== null && { id: { not: except } }) };
  return (await tx.userSession.deleteMany({ where })).count;
}

/** Ends a user's sessions except this one; returns the cookie that keeps its browser known, if it was. */
export async function endOtherSessions(
  { id, email }: Viewer,
  session: { id: string; device: string | null },
): Promise<string[]> {
  await endSessions(id, session.id);
  return session.device === null ? [] : [await deviceCookie(email, session.device)];
}

/**
 * Gives a session another token after its user has proved their identity, which also unlocks it; the token before ends.
 * Returns the cookies with the new one, none for a session that has ended or has another token already.
 */
export async function renewSession({ id, token }: { id: string; token: string }): Promise<string[]> {
  const { api } = await auth();
  const renewed = await api.renewSession({ body: { id, token }, headers: new Headers(), returnHeaders: true });
  return renewed.headers.getSetCookie();
}

/** Whether a session has not ended, and its user is active and still has the role and the merchant of `viewer`. */
export async function isSessionOf({ id: userId, role, merchantId }: Viewer, id: string): Promise<boolean> {
  const user = { role, merchantId, disabledAt: null };
  return (await prisma().userSession.count({ where: { id, userId, expiresAt: { gt: new Date() }, user } })) > 0;
}

/** Stores a use of a session, unless it has been locked meanwhile. */
export async function markUsed(id: string, at: Date): Promise<void> {
  await prisma().userSession.updateMany({ where: { id, usedAt: { gt: idleSince(at), lt: at } }, data: { usedAt: at } });
}

const cleanupIntervalMilliseconds = 60_000;
let cleanedAt = 0;

/** The audit log names the invited person for longer. */
const invitationKeptDays = 90;

/** Deletes expired sessions, one-time links, challenges, invitations and counts of attempts, once a minute by `now`; returns their number. */
export async function deleteExpiredSignIns(now: Date): Promise<number> {
  if (Math.abs(now.getTime() - cleanedAt) < cleanupIntervalMilliseconds) return 0;
  cleanedAt = now.getTime();
  const expired = { expiresAt: { lt: new Date() } };
  const sessions = await prisma().userSession.deleteMany({ where: expired });
  const verifications = await prisma().userVerification.deleteMany({ where: expired });
  const keptSince = new Date(Date.now() - invitationKeptDays * 86_400_000);
  const invitations = await prisma().invitation.deleteMany({ where: { expiresAt: { lt: keptSince } } });
  return sessions.count + verifications.count + invitations.count + (await deleteExpiredFailures(now));
}

const browsers: [RegExp, string][] = [
  [/\bEdg(?:A|iOS)?\/(\d+)/, 'Edge'],
  [/\bOPR\/(\d+)/, 'Opera'],
  [/\bSamsungBrowser\/(\d+)/, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\/(\d+)/, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\/(\d+)/, 'Chrome'],
  [/\bVersion\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari\//, 'Safari'],
];

const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];

/** Real values are far shorter; a limit keeps the patterns fast. */
const textMax = 512;

/** Such as `Firefox 132, Linux`; `Unknown browser` if neither is recognised. */
export function deviceOf(userAgent: string | null): string {
  const text = (userAgent ?? '').slice(0, textMax);
  const browser = browsers.find(([form]) => form.test(text));
  const version = browser?.[0].exec(text)?.[1];
  const system = systems.find(([form]) => form.test(text))?.[1];
  const parts = [browser && `${browser[1]} ${version}`, system].filter((part) => part !== undefined);
  return parts.length > 0 ? parts.join(', ') : 'Unknown browser';
}
