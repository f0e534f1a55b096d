// The sandbox's dashboard users. Their passwords are set to DEMO_PASSWORD at every start, so that the credentials
// printed by npm start always work.
import { hashPassword, verifyPassword } from '../../lib/auth/index.ts';
import { demoEmails } from '../../lib/core/demo-merchant.ts';
import { prisma } from '../../lib/db/index.ts';
import type { UserRole } from '../../lib/prisma/client.ts';

const demoMerchantId = '018f3a00-0000-7000-8000-000000000001';

export const user = (id: string, name: string, email: string, role: UserRole, merchantId: string | null = null) => ({
  id,
  name,
  email,
  role,
  merchantId,
});

const demo = (number: number) => `018f3a00-0000-7000-8000-0000000000${number}`;
export const demoUsers = [
  user(demo(11), 'Mara Manager', demoEmails[0], 'account_manager'),
  user(demo(12), 'Milo Merchant', demoEmails[1], 'merchant_owner', demoMerchantId),
];

/** Creates users, or resets their passwords. */
export async function seedDashboardUsers(users: typeof demoUsers, password: string | null): Promise<void> {
  if (password === null) return;
  const accounts = await prisma().userAccount.findMany({ where: { userId: { in: users.map(({ id }) => id) } } });
  // Hashing is slow on purpose, so all users share one hash.
  let fresh: string | undefined;
  const verified = new Map<string, boolean>();
  for (const user of users) {
    await prisma().user.upsert({ where: { id: user.id }, create: user, update: {} });
    const hash = accounts.find(({ userId }) => userId === user.id)?.password;
    if (hash && !verified.has(hash)) verified.set(hash, await verifyPassword({ hash, password }));
    if (hash && verified.get(hash)) continue;
    fresh ??= await hashPassword(password);
    const account = { userId: user.id, providerId: 'credential', accountId: user.id, password: fresh };
    await prisma().userAccount.upsert({
      where: { id: user.id },
      create: { ...account, id: user.id },
      update: { password: fresh },
    });
  }
}
