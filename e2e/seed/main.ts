// Seeds the database of the end-to-end tests: the demo merchant without payments, and the merchants and users of the tests.
import { env } from '../../lib/config/index.ts';
import { closeDatabase } from '../../lib/db/index.ts';
import { demoUsers, seedDashboardUsers, user } from '../../prisma/seed/dashboard-users.ts';
import { demo, seedMerchant } from '../../prisma/seed/merchants.ts';
import { scriptedProviderMerchants } from './scripted-provider-merchants.ts';
import { testMerchants } from './test-merchants.ts';

// The merchant `plain`.
const plainMerchantId = '7e570001-0000-4000-8000-000000000001';

const test = (number: number) => `7e570011-0000-4000-8000-00000000000${number}`;
// One user for each role that the demo lacks, and one that a test locks out.
const testUsers = [
  user(test(1), 'Ada Administrator', 'administrator@plain.test', 'administrator'),
  user(test(2), 'Otto Operator', 'operator@plain.test', 'operator', plainMerchantId),
  user(test(3), 'Vera Viewer', 'viewer@plain.test', 'viewer', plainMerchantId),
  user(test(4), 'Lars Locked', 'locked@plain.test', 'viewer', plainMerchantId),
];

for (const each of [demo, ...testMerchants, ...scriptedProviderMerchants]) await seedMerchant(each);
await seedDashboardUsers([...demoUsers, ...testUsers], env.demoPassword);
await closeDatabase();
