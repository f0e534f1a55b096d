// Fills a database for benchmarks and chaos tests: the merchants of BENCH_MERCHANTS, each with accounts at a given
// provider. They are live merchants, because the sandbox accepts only a few cards. An existing merchant with its
// payments (seed-many.mjs) is reused by its key.

import { newId } from '../../lib/core/ids.ts';
import { closeDatabase, prisma } from '../../lib/db/index.ts';
import { seal } from '../../lib/vault/index.ts';

type BenchMerchant = {
  key: string;
  password: string;
  callbackUrl: string | null;
  providerUrl: string;
  protocols?: ('checkout' | 's2s_card' | 's2s_apm')[];
  operations?: string[];
  /** The number of accounts, all at the same provider; one by default. */
  accounts?: number;
  /** The provider timeout. */
  timeoutSeconds?: number;
  /** The merchant with this key exists and has accounts. */
  adopted?: boolean;
};

const sealed = async (text: string, use: 'merchant-password' | 'mid-settings') => new Uint8Array(await seal(text, use));

function settingsOf({ providerUrl, timeoutSeconds }: BenchMerchant): Promise<Uint8Array<ArrayBuffer>> {
  const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  return sealed(JSON.stringify({ url: providerUrl, apiKey: 'bench', signingSecret, timeoutSeconds }), 'mid-settings');
}

function mappingsOf({ callbackUrl, protocols = ['checkout'] }: BenchMerchant) {
  return protocols.map((protocol) => ({
    id: newId(),
    protocol,
    defaultNotificationUrl: callbackUrl,
    openPayouts: true,
  }));
}

async function accountOf(merchant: BenchMerchant, place: number) {
  const { operations = ['purchase'] } = merchant;
  const settings = await settingsOf(merchant);
  const defaults = { name: 'Bench cards', connector: 'http', methods: ['card'], refundSupport: 'api' as const };
  return { id: newId(), priority: 100 + place, settings, operations, ...defaults };
}

async function create(merchant: BenchMerchant): Promise<void> {
  const { key, password, accounts = 1 } = merchant;
  await prisma().merchant.create({
    data: {
      id: newId(),
      name: 'Bench',
      keys: {
        create: { id: newId(), environment: 'production', key, password: await sealed(password, 'merchant-password') },
      },
      mids: { create: await Promise.all(Array.from({ length: accounts }, (_, place) => accountOf(merchant, place))) },
      mappings: { create: mappingsOf(merchant) },
    },
  });
}

async function adopt(merchant: BenchMerchant): Promise<void> {
  const { key, password, operations = ['purchase'] } = merchant;
  const secret = await sealed(password, 'merchant-password');
  const { merchantId } = await prisma().merchantKey.update({
    where: { key },
    data: { environment: 'production', password: secret },
  });
  const settings = await settingsOf(merchant);
  await prisma().mid.updateMany({ where: { merchantId }, data: { settings, operations, refundSupport: 'api' } });
  await prisma().protocolMapping.createMany({ data: mappingsOf(merchant).map((each) => ({ ...each, merchantId })) });
}

for (const merchant of JSON.parse(process.env.BENCH_MERCHANTS ?? '[]') as BenchMerchant[])
  await (merchant.adopted ? adopt : create)(merchant);
await closeDatabase();
