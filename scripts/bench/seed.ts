// Fills a database for the benchmarks and the proofs: the merchants named in BENCH_MERCHANTS, each with one account at a
// provider of theirs. They are live merchants, because only those take more cards than the sandbox's few.
import { closeDatabase, prisma } from '../../lib/db';
import { newId } from '../../lib/payments/ids';
import { seal } from '../../lib/payments/vault';

type BenchMerchant = {
  key: string;
  password: string;
  callbackUrl: string | null;
  providerUrl: string;
  protocols?: ('checkout' | 's2s_card' | 's2s_apm')[];
  operations?: string[];
  /** How long the provider may take for an answer. */
  timeoutSeconds?: number;
};

async function seed(merchant: BenchMerchant): Promise<void> {
  const { key, password, callbackUrl, providerUrl, timeoutSeconds } = merchant;
  const { protocols = ['checkout'], operations = ['purchase'] } = merchant;
  const signingSecret = `whsec_${Buffer.alloc(24).toString('base64')}`;
  const provider = { url: providerUrl, apiKey: 'bench', signingSecret, timeoutSeconds };
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
          operations,
          refundSupport: 'api',
        },
      },
      mappings: {
        create: protocols.map((protocol) => ({ id: newId(), protocol, defaultNotificationUrl: callbackUrl })),
      },
    },
  });
}

for (const merchant of JSON.parse(process.env.BENCH_MERCHANTS ?? '[]') as BenchMerchant[]) await seed(merchant);
await closeDatabase();
