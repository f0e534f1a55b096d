/** The people of the dashboard: their rows, and what is done to them. Who may is asked before, by people-rules.ts. */
import { prisma, query, transaction } from '../db';
import type { Role } from './roles';
import { removesLastAdministrator } from './user-rules';

/** Somebody with an account. */
export type User = {
  id: string;
  name: string;
  email: string;
  role: Role;
  merchantId: string | null;
  secondFactor: boolean;
  disabledAt: Date | null;
  /** When one of their sessions that still hold was last used, to a quarter of an hour. */
  usedAt: Date | null;
};

const columns = `u.id, u.name, u.email, u.role::text as role, u.merchant_id as "merchantId",
  u.two_factor_enabled as "secondFactor", u.disabled_at as "disabledAt",
  (select max(s.updated_at) from user_sessions s where s.user_id = u.id and s.expires_at > $2::timestamptz) as "usedAt"`;

/** Everybody, or everybody of one merchant, in the order of their names. */
export function listUsers(merchantId: string | null): Promise<User[]> {
  return query<User>(
    'users-list',
    `select ${columns} from users u where ($1::uuid is null or u.merchant_id = $1::uuid)
      order by u.disabled_at is not null, lower(u.name), u.id limit 1000`,
    [merchantId, new Date()],
  );
}

/** One person; null for nobody, and for somebody who is not of this merchant. */
export async function findUser(id: string, merchantId: string | null): Promise<User | null> {
  const rows = await query<User>(
    'user-find',
    `select ${columns} from users u where ($1::uuid is null or u.merchant_id = $1::uuid) and u.id = $3::uuid`,
    [merchantId, new Date(), id],
  );
  return rows[0] ?? null;
}

/** Whether somebody has an account with this e-mail. */
export async function isEmailTaken(email: string): Promise<boolean> {
  return (await prisma().user.count({ where: { email: email.toLowerCase() } })) > 0;
}

/** What becomes of a person: another role, at this merchant, or switched off and on. Null leaves it. */
export type UserChange = { role: Role; merchantId: string | null; disabledAt: Date | null };

/**
 * Changes a person and ends their sessions; false where nobody could give every role afterwards. Administrators are
 * counted under a lock, so that two who take the role from each other at once do not both succeed.
 */
export function updateUser(id: string, change: UserChange): Promise<boolean> {
  return transaction(async (run) => {
    await run('users-lock', `select pg_advisory_xact_lock(hashtext('florin.users'))`);
    const [subject] = await run<{ role: Role }>('user-role', 'select role::text as role from users where id = $1', [
      id,
    ]);
    const [{ others } = { others: 0n }] = await run<{ others: bigint }>(
      'administrators',
      `select count(*) as others from users where role = 'administrator' and disabled_at is null and id <> $1::uuid`,
      [id],
    );
    const next = change.disabledAt === null ? change.role : null;
    if (!subject || removesLastAdministrator(subject, next, Number(others))) return false;
    await run(
      'user-change',
      `update users set role = $2::"UserRole", merchant_id = $3::uuid, disabled_at = $4::timestamptz, updated_at = now()
        where id = $1::uuid`,
      [id, change.role, change.merchantId, change.disabledAt],
    );
    await run('user-sessions', 'delete from user_sessions where user_id = $1::uuid', [id]);
    return true;
  });
}
