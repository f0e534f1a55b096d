import { afterEach, expect, it, vi } from 'vitest';
import { answering, cardSale, testProviders } from './provider.test-server.ts';

const { peer, close } = testProviders();

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
  close();
});

const pay = cardSale;

/** The connector as it is in production, and a provider on this machine. */
async function inProduction(networks: string) {
  const settings = {
    APP_ENV: 'production',
    BASE_URL: 'https://pay.example.com',
    DATABASE_URL: 'postgresql://florin@127.0.0.1:1/florin',
    VAULT_KEY: Buffer.from(Array.from({ length: 32 }, (_, at) => at * 7)).toString('base64'),
    LOG_LEVEL: 'error',
    PRIVATE_NETWORKS: networks,
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);
  vi.resetModules();
  const { httpConnector: connector } = await import('./http.ts');
  return { ...(await peer(answering(200, { reference: pay.key, status: 'approved' }))), connector };
}

it('a provider at a private address is not called: the attempt is declined as not sent', async () => {
  const { settings, calls, connector } = await inProduction('10.20.0.0/16');
  expect(await connector.pay({ settings }, pay)).toMatchObject({ kind: 'declined', decline: { code: 'unreachable' } });
  expect((await connector.status({ settings }, pay.key)).kind).toBe('unknown');
  expect(await connector.check({ settings })).toMatchObject({ kind: 'unreachable', why: 'BLOCKED_TARGET' });
  expect(calls).toEqual([]);
});

it('a provider in a network of PRIVATE_NETWORKS is called', async () => {
  const { settings, connector } = await inProduction('loopback');
  expect((await connector.pay({ settings }, pay)).kind).toBe('approved');
});
