// The sandbox's dashboard users. Their passwords are set to DEMO_PASSWORD at every start, so that the credentials
// printed by npm start always work.
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { prisma } from '../../lib/db';
import type { UserRole } from '../../lib/prisma/client';

type SeedUser = { id: string; name: string; email: string; role: UserRole; merchantId: string | null };

const demoMerchantId = '018f3a00-0000-7000-8000-000000000001';

const demoUsers: SeedUser[] = [
  {
    id: '018f3a00-0000-7000-8000-000000000011',
    name: 'Mara Manager',
    email: 'manager@demo.test',
    role: 'account_manager',
    merchantId: null,
  },
  {
    id: '018f3a00-0000-7000-8000-000000000012',
    name: 'Milo Merchant',
    email: 'merchant@demo.test',
    role: 'merchant_owner',
    merchantId: demoMerchantId,
  },
];

// One user for each role that the demo lacks, at the merchant `plain` of the end-to-end tests, and one that a test
// locks out.
const plainMerchantId = '7e570001-0000-4000-8000-000000000001';

const testUsers: SeedUser[] = [
  {
    id: '7e570011-0000-4000-8000-000000000001',
    name: 'Ada Administrator',
    email: 'administrator@plain.test',
    role: 'administrator',
    merchantId: null,
  },
  {
    id: '7e570011-0000-4000-8000-000000000002',
    name: 'Otto Operator',
    email: 'operator@plain.test',
    role: 'operator',
    merchantId: plainMerchantId,
  },
  {
    id: '7e570011-0000-4000-8000-000000000003',
    name: 'Vera Viewer',
    email: 'viewer@plain.test',
    role: 'viewer',
    merchantId: plainMerchantId,
  },
  {
    id: '7e570011-0000-4000-8000-000000000004',
    name: 'Lars Locked',
    email: 'locked@plain.test',
    role: 'viewer',
    merchantId: plainMerchantId,
  },
];

/** Creates the sandbox's users, with those of the tests if `forTests`, or resets their passwords. */
export async function seedDashboardUsers(password: string | null, forTests: boolean): Promise<void> {
  if (password === null) return;
  const users = forTests ? [...demoUsers, ...testUsers] : demoUsers;
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
