/** The dashboard's users: their rows and changes. Permissions are checked before, by roles.ts. */
import { prisma, statement } from '../db/index.ts';
import type { Prisma, PrismaClient } from '../prisma/client.ts';
import { mayAssignRole, type Role, removesLastAdministrator } from './roles.ts';
import { endSessionsIn } from './sessions.ts';

export type User = {
  id: string;
  name: string;
  email: string;
  role: Role;
  merchantId: string | null;
  secondFactor: boolean;
  disabledAt: Date | null;
  /** The last use of an active session, to a quarter of an hour. */
  usedAt: Date | null;
};

const columns = `u.id, u.name, u.email, u.role::text as role, u.merchant_id as "merchantId",
  u.two_factor_enabled as "secondFactor", u.disabled_at as "disabledAt",
  (select max(s.used_at) from user_sessions s where s.user_id = u.id and s.expires_at > :now::timestamptz) as "usedAt"`;

const usersByMerchant = statement<{ merchantId: string | null; now: Date }, User>(
  'users-list',
  `select ${columns} from users u where (:merchantId::uuid is null or u.merchant_id = :merchantId::uuid)
    order by u.disabled_at is not null, lower(u.name), u.id limit 1000`,
);

/** All users, or those of one merchant, by name. */
export function listUsers(merchantId: string | null): Promise<User[]> {
  return usersByMerchant({ merchantId, now: new Date() });
}

const userById = statement<{ id: string; merchantId: string | null; now: Date }, User>(
  'user-find',
  `select ${columns} from users u
    where (:merchantId::uuid is null or u.merchant_id = :merchantId::uuid) and u.id = :id::uuid`,
);

/** One user; null if the id does not exist or belongs to another merchant. */
export async function findUser(id: string, merchantId: string | null): Promise<User | null> {
  const rows = await userById({ id, merchantId, now: new Date() });
  return rows[0] ?? null;
}

/** Whether an account has this email: of one merchant, or of any. */
export async function isEmailTaken(email: string, merchantId: string | null): Promise<boolean> {
  const where = { email: email.toLowerCase(), ...(merchantId !== null && { merchantId }) };
  return (await prisma().user.count({ where })) > 0;
}

/** A change of a user: another role at a merchant, or deactivated and reactivated. */
type UserChange = { role: Role; merchantId: string | null; disabledAt: Date | null };

/**
 * Changes a user, under a lock, as {@link changeUser} does. `changed`: another user has changed their role or merchant, or
 * deactivated or reactivated them, since `seen`. `last`: no user could assign every role afterwards.
 */
export function updateUser(seen: User, change: UserChange): Promise<'done' | 'changed' | 'last'> {
  const { id, role, merchantId } = seen;
  return prisma().$transaction(async (tx) => {
    await lockUsers(tx);
    const subject = await tx.user.findUnique({ where: { id, role, merchantId } });
    if (!subject || (subject.disabledAt === null) !== (seen.disabledAt === null)) return 'changed';
    if (await isLastAdministrator(tx, subject, change)) return 'last';
    // A user who is activated again has the days of an unused account before them.
    const isActivated = subject.disabledAt !== null && change.disabledAt === null;
    await changeUser(tx, { id }, { ...change, ...(isActivated && { signedInAt: new Date() }) });
    return 'done';
  });
}

/**
 * Deactivates users who have not signed in since `until`, up to ten, except a last administrator. `record` writes each to
 * the audit log before the change is committed; a transaction that takes too long would leave entries of changes that
 * were undone. Returns their number.
 */
export function deactivateUnused(until: Date, at: Date, record: (id: string) => Promise<void>): Promise<number> {
  return prisma().$transaction(async (tx) => {
    await lockUsers(tx);
    const isUnused = { disabledAt: null, signedInAt: { lt: until } };
    const unused = await tx.user.findMany({ where: isUnused, take: 10 });
    let count = 0;
    for (const { id, role, merchantId, disabledAt } of unused) {
      const change = { role, merchantId, disabledAt: at };
      if (await isLastAdministrator(tx, { role, disabledAt, id }, change)) continue;
      // A user may have signed in meanwhile.
      if (!(await changeUser(tx, { id, ...isUnused }, change))) continue;
      await record(id);
      count += 1;
    }
    return count;
  });
}

type Transaction = Pick<PrismaClient, '$executeRaw' | 'invitation' | 'user' | 'userSession'>;

const lockUsers = (tx: Transaction) => tx.$executeRaw`select pg_advisory_xact_lock(hashtext('florin.users'))`;

async function isLastAdministrator(
  tx: Transaction,
  subject: { id: string; role: Role; disabledAt: Date | null },
  change: UserChange,
): Promise<boolean> {
  const { id } = subject;
  const others = await tx.user.count({ where: { role: 'administrator', disabledAt: null, id: { not: id } } });
  return removesLastAdministrator(subject, change.disabledAt === null ? change.role : null, others);
}

/**
 * Changes a user if they still fit, ends their sessions, and withdraws their open invitations to roles that they may no
 * longer assign; false if they do not fit.
 */
async function changeUser(
  tx: Transaction,
  where: Prisma.UserWhereInput & { id: string },
  data: UserChange & { signedInAt?: Date },
): Promise<boolean> {
  const { id } = where;
  const { count } = await tx.user.updateMany({ where, data });
  if (count === 0) return false;
  await endSessionsIn(tx, id);
  const sent = await tx.invitation.findMany({ where: { invitedById: id, acceptedAt: null, withdrawnAt: null } });
  const inviter = { id, ...data };
  const lost = sent.filter((each) => data.disabledAt !== null || !mayAssignRole(inviter, each.role, each.merchantId));
  await tx.invitation.updateMany({
    where: { id: { in: lost.map((each) => each.id) }, acceptedAt: null },
    data: { withdrawnAt: new Date() },
  });
  return true;
}
