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

type Row = { id: string; owner: string };

const sealed = async (text: string, use: 'merchant-password' | 'mid-settings', row: Row) =>
  new Uint8Array(await seal(text, use, row));

function settingsOf({ providerUrl, timeoutSeconds }: BenchMerchant, row: Row): Promise<Uint8Array<ArrayBuffer>> {
  const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const settings = { url: providerUrl, apiKey: 'bench', signingSecret, timeoutSeconds };
  return sealed(JSON.stringify(settings), 'mid-settings', row);
}

function mappingsOf({ callbackUrl, protocols = ['checkout'] }: BenchMerchant) {
  return protocols.map((protocol) => ({
    id: newId(),
    protocol,
    defaultNotificationUrl: callbackUrl,
    openPayouts: true,
  }));
}

async function accountOf(merchant: BenchMerchant, owner: string, place: number) {
  const { operations = ['purchase'] } = merchant;
  const id = newId();
  const settings = await settingsOf(merchant, { id, owner });
  const defaults = { name: 'Bench cards', connector: 'http', methods: ['card'], refundSupport: 'api' as const };
  return { id, priority: 100 + place, settings, operations, ...defaults };
}

async function create(merchant: BenchMerchant): Promise<void> {
  const { key, password, accounts = 1 } = merchant;
  const owner = newId();
  const row = { id: newId(), owner };
  const secret = await sealed(password, 'merchant-password', row);
  const mids = await Promise.all(Array.from({ length: accounts }, (_, place) => accountOf(merchant, owner, place)));
  await prisma().merchant.create({
    data: {
      id: owner,
      name: 'Bench',
      keys: { create: { id: row.id, environment: 'production', key, password: secret } },
      mids: { create: mids },
      mappings: { create: mappingsOf(merchant) },
    },
  });
}

async function adopt(merchant: BenchMerchant): Promise<void> {
  const { key, password, operations = ['purchase'] } = merchant;
  const { id: keyId, merchantId } = await prisma().merchantKey.findUniqueOrThrow({ where: { key } });
  const secret = await sealed(password, 'merchant-password', { id: keyId, owner: merchantId });
  await prisma().merchantKey.update({ where: { key }, data: { environment: 'production', password: secret } });
  for (const { id } of await prisma().mid.findMany({ where: { merchantId }, select: { id: true } })) {
    const settings = await settingsOf(merchant, { id, owner: merchantId });
    await prisma().mid.update({ where: { id }, data: { settings, operations, refundSupport: 'api' } });
  }
  await prisma().protocolMapping.createMany({ data: mappingsOf(merchant).map((each) => ({ ...each, merchantId })) });
}

for (const merchant of JSON.parse(process.env.BENCH_MERCHANTS ?? '[]') as BenchMerchant[])
  await (merchant.adopted ? adopt : create)(merchant);
await closeDatabase();
