/** Lists and ends users' sessions. Times are those of the system clock. */
import { prisma } from '../db/index.ts';

export type UserSession = {
  id: string;
  createdAt: Date;
  /** The last use, to a quarter of an hour. */
  usedAt: Date;
  address: string | null;
  userAgent: string | null;
};

/** A user's active sessions, the latest first. */
export async function listUserSessions(userId: string): Promise<UserSession[]> {
  const rows = await prisma().userSession.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { updatedAt: 'desc' },
  });
  return rows.map(({ id, createdAt, updatedAt, ipAddress, userAgent }) => ({
    ...{ id, createdAt, usedAt: updatedAt, address: ipAddress || null, userAgent: userAgent || null },
  }));
}

/** Ends one session of a user; false if it does not exist. */
export async function endSession(userId: string, id: string): Promise<boolean> {
  return (await prisma().userSession.deleteMany({ where: { id, userId } })).count > 0;
}

/** Ends every session of a user except `except`; returns their number. */
export async function endSessions(userId: string, except: string | null = null): Promise<number> {
  const { count } = await prisma().userSession.deleteMany({
    where: { userId, ...(except !== null && { id: { not: except } }) },
  });
  return count;
}

/** Stores that the session's user has just proved their identity. */
export async function markConfirmed(id: string): Promise<void> {
  await prisma().userSession.updateMany({ where: { id }, data: { confirmedAt: new Date() } });
}
