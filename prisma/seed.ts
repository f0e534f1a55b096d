// Seeds the sandbox with one demo merchant, the same on every machine, so that examples can be copied. Runs at every
// start and keeps existing rows, except the provider's address, which depends on the port, and the lists of MIDs with
// every payment method, which follow the catalogue. Production seeds nothing.

import { env } from '../lib/config/index.ts';
import { closeDatabase, prisma } from '../lib/db/index.ts';
import { demoUsers, seedDashboardUsers } from './seed/dashboard-users.ts';
import { seedDemoPayments } from './seed/demo-payments.ts';
import { demo, seedMerchant } from './seed/merchants.ts';

async function isUntouched(): Promise<boolean> {
  return (await prisma().payment.findFirst({ where: { merchantId: demo.merchant.id }, select: { id: true } })) === null;
}

function warnDemoPayments(err: unknown): void {
  console.warn('The demo payments could not be created:', err);
}

if (env.appEnv === 'sandbox') {
  await seedMerchant(demo);
  await seedDashboardUsers(demoUsers, env.demoPassword);
  if (await isUntouched()) await seedDemoPayments(true).catch(warnDemoPayments);
}
await closeDatabase();
