// Fills a database for the API benchmark: the merchants named in BENCH_MERCHANTS, each with one account at the
// benchmark's own provider. They are live merchants, because only those take more cards than the sandbox's few.
import { closeDatabase, prisma } from '../../lib/db';
import { newId } from '../../lib/payments/ids';
import { seal } from '../../lib/payments/vault';

type BenchMerchant = { key: string; password: string; callbackUrl: string | null; providerUrl: string };

async function seed({ key, password, callbackUrl, providerUrl }: BenchMerchant): Promise<void> {
  const provider = { url: providerUrl, apiKey: 'bench', signingSecret: `whsec_${Buffer.alloc(24).toString('base64')}` };
  await prisma().merchant.create({
    data: {
      id: newId(),
      name: 'Bench',
      keys: {
        create: {
          id: newId(),
          environment: 'production',
          key,
          password: new Uint8Array(await seal(password, 'merchant-password')),
        },
      },
      mids: {
        create: {
          id: newId(),
          name: 'Bench cards',
          connector: 'http',
          settings: new Uint8Array(await seal(JSON.stringify(provider), 'mid-settings')),
          methods: ['card'],
          operations: ['purchase'],
        },
      },
      mappings: { create: { id: newId(), protocol: 'checkout', defaultNotificationUrl: callbackUrl } },
    },
  });
}

for (const merchant of JSON.parse(process.env.BENCH_MERCHANTS ?? '[]') as BenchMerchant[]) await seed(merchant);
await closeDatabase();
