// Seeds the sandbox with one demo merchant, the same on every machine, so that examples can be copied. Runs at every
// start and keeps existing rows, except the provider's address, which depends on the port, and the lists of MIDs with
// every payment method, which follow the catalogue. Production seeds nothing.

import { env } from '../lib/config/index.ts';
import { demoMerchant } from '../lib/core/demo-merchant.ts';
import { closeDatabase, prisma } from '../lib/db/index.ts';
import { sandboxProviderSettings } from '../lib/sandbox/index.ts';
import { seal } from '../lib/vault/index.ts';
import { seedDashboardUsers } from './seed/dashboard-users.ts';
import { seedDemoPayments } from './seed/demo-payments.ts';
import { hasEveryMethod, otherMethods, sandboxCredentials } from './seed/method-account.ts';
import { scriptedProviderMerchants } from './seed/scripted-provider-merchants.ts';
import { midId, operations, type TestMerchant, testMerchants } from './seed/test-merchants.ts';

const id = (number: number) => `018f3a00-0000-7000-8000-00000000000${number}`;

const demo: TestMerchant = {
  merchant: { id: id(1), name: 'Florin Demo Shop', site: 'demo.florin.test', frameAncestors: [env.baseUrl] },
  keys: [
    { id: id(2), environment: 'sandbox', key: demoMerchant.key, password: demoMerchant.password },
    { id: id(3), environment: 'production', key: demoMerchant.liveKey, password: '9d1f0b7c3e5a4826b0c4d8e2f6a1b395' },
  ],
  mids: [
    { id: id(4), name: 'Sandbox cards', methods: ['card'], operations, zeroAmounts: true },
    // The MID for cards has precedence.
    {
      ...{ id: id(8), name: 'Sandbox methods', priority: 200, methods: otherMethods },
      operations: ['purchase', 'debit', 'credit'],
    },
  ],
  mappings: [
    { id: id(5), protocol: 'checkout' },
    { id: id(6), protocol: 's2s_card' },
    { id: id(7), protocol: 's2s_apm' },
  ],
};

async function seedMerchant({ merchant, keys, mids, mappings, wallets = [] }: TestMerchant): Promise<void> {
  const db = prisma();
  const existing = await db.merchant.findUnique({ where: { id: merchant.id } });
  if (!existing) await db.merchant.create({ data: merchant });
  for (const { password, ...key } of keys) {
    if (await db.merchantKey.findUnique({ where: { id: key.id } })) continue;
    const sealed = new Uint8Array(await seal(password, 'merchant-password'));
    await db.merchantKey.create({ data: { ...key, merchantId: merchant.id, password: sealed } });
  }
  for (const { timeoutSeconds, account, providerUrl, ...mid } of mids) {
    const provider = sandboxProviderSettings(`http://127.0.0.1:${env.port}`, env.vaultKey, account);
    const methods = sandboxCredentials(mid.methods);
    const open = {
      ...{ ...provider, methods },
      ...(timeoutSeconds !== undefined && { timeoutSeconds }),
      ...(providerUrl !== undefined && { url: providerUrl }),
    };
    const settings = new Uint8Array(await seal(JSON.stringify(open), 'mid-settings'));
    const data = { ...mid, merchantId: merchant.id, connector: 'http', settings };
    const update = hasEveryMethod(mid.methods) ? { settings, methods: mid.methods } : { settings };
    await db.mid.upsert({ where: { id: mid.id }, create: data, update });
  }
  for (const { settings: open, ...wallet } of wallets) {
    const settings = new Uint8Array(await seal(JSON.stringify(open), 'wallet-settings'));
    const data = { ...wallet, merchantId: merchant.id, settings };
    await db.wallet.upsert({ where: { id: wallet.id }, create: data, update: {} });
  }
  for (const { rules = [], ...mapping } of mappings) {
    // Allowed, so that every example of the documentation works.
    const data = { openPayouts: true, ...mapping, merchantId: merchant.id };
    await db.protocolMapping.upsert({ where: { id: mapping.id }, create: data, update: {} });
    for (const [position, { name, conditions, targets }] of rules.entries()) {
      // The mapping's id with the position in front: the same at every start.
      const id = `${(8 + position).toString(16)}${mapping.id.slice(1)}`;
      const rule = {
        ...{ id, mappingId: mapping.id, position, name, conditions },
        targets: Object.entries(targets).map(([letter, weight]) => ({
          midId: midId(numberOf(mapping.id), letter),
          weight,
        })),
      };
      await db.routingRule.upsert({ where: { id }, create: rule, update: {} });
    }
  }
}

function numberOf(mappingId: string): number {
  return Number(mappingId.slice(-8));
}

async function isUntouched(): Promise<boolean> {
  return (await prisma().payment.findFirst({ where: { merchantId: demo.merchant.id }, select: { id: true } })) === null;
}

function warnDemoPayments(err: unknown): void {
  console.warn('The demo payments could not be created:', err);
}

if (env.appEnv === 'sandbox') {
  await seedMerchant(demo);
  if (env.testControlToken !== null) {
    for (const each of [...testMerchants, ...scriptedProviderMerchants]) await seedMerchant(each);
  }
  await seedDashboardUsers(env.demoPassword, env.testControlToken !== null);
  // Tests create their own payments.
  if (env.testControlToken === null && (await isUntouched())) await seedDemoPayments(true).catch(warnDemoPayments);
}
await closeDatabase();
