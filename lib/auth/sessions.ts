/** The sessions of people: where somebody is signed in, and ending it. Their times are the machine's own. */
import { prisma } from '../db';

export type UserSession = {
  id: string;
  createdAt: Date;
  /** When it was last used, to a quarter of an hour. */
  usedAt: Date;
  address: string | null;
  userAgent: string | null;
};

/** The sessions of a person that still hold, the latest first. */
export async function listUserSessions(userId: string): Promise<UserSession[]> {
  const rows = await prisma().userSession.findMany({
    where: { userId, expiresAt: { gt: new Date() } },
    orderBy: { updatedAt: 'desc' },
  });
  return rows.map(({ id, createdAt, updatedAt, ipAddress, userAgent }) => ({
    ...{ id, createdAt, usedAt: updatedAt, address: ipAddress || null, userAgent: userAgent || null },
  }));
}

/** Ends one session of a person; false where they have no such session. */
export async function endSession(userId: string, id: string): Promise<boolean> {
  return (await prisma().userSession.deleteMany({ where: { id, userId } })).count > 0;
}

/** Ends every session of a person but `except`, and gives how many there were. */
export async function endSessions(userId: string, except: string | null = null): Promise<number> {
  const { count } = await prisma().userSession.deleteMany({
    where: { userId, ...(except !== null && { id: { not: except } }) },
  });
  return count;
}

/** Writes down that the person of a session has just proved who they are. */
export async function markConfirmed(id: string): Promise<void> {
  await prisma().userSession.updateMany({ where: { id }, data: { confirmedAt: new Date() } });
}
