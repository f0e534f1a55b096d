// A server with several worker processes (WEB_CONCURRENCY), and its address.
import { readFileSync } from 'node:fs';
import { cardMerchant } from '../support/card-merchant.ts';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { merchantClient } from '../support/merchant.ts';
import { expectCallbacks, pay, statusOf } from '../support/payment-flows.ts';
import { expect, test } from '../support/test.ts';
import { testsAtOnce } from '../support/tests-at-once.ts';

const twoWorkers = { WEB_CONCURRENCY: '2', TEST_CONTROL_TOKEN: '' };

/** The process ids of a server's workers. */
function workersOf({ pid }: KillableServer): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

test.describe('two workers', () => {
  test.describe.configure({ mode: 'default' });
  let server: KillableServer;
  test.beforeAll(async () => {
    server = await startKillableServer(twoWorkers);
  });
  test.afterAll(() => server?.kill());

  test('sell, capture, refund and void', async ({ shop: { credentials }, shopServer, provider }) => {
    const shop = merchantClient(server.url, credentials, shopServer);
    const payments = await Promise.all(Array.from({ length: 6 }, () => pay(shop)));
    for (const { id, order } of payments) {
      expect((await shop.refund(id, '20.00')).status).toBe(200);
      expect((await statusOf(shop, id)).status).toBe('settled');
      await expectCallbacks(shop, order, ['success sale settled', 'success refund settled']);
      expect(await provider.moved(order.number)).toEqual(['sale 84.50', 'refund 20.00']);
    }
    const cardShop = cardMerchant(server.url, credentials, shopServer);
    const sold = await Promise.all(Array.from({ length: 6 }, () => cardShop.sell()));
    expect(sold.map(({ answer }) => answer.body.result)).toEqual(sold.map(() => 'SUCCESS'));
  });

  test('report the metrics of both', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () => fetch(`${server.url}/healthz`, { headers: { connection: 'close' } })),
    );
    const read = async () => {
      const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}`, connection: 'close' };
      const text = await (await fetch(`${server.url}/metrics`, { headers })).text();
      const count = /florin_request_seconds_count\{[^}]*route="\/healthz"[^}]*\} (\d+)/.exec(text)?.[1];
      return { count: Number(count), rows: /florin_rows\{what="unresolved"\} (\d+)/.test(text) };
    };
    const [first, second] = [await read(), await read()];
    expect(first.rows).toBe(true);
    expect(first.count).toBeGreaterThanOrEqual(20);
    // Whichever worker answers, the number is that of both.
    expect(second.count).toBeGreaterThanOrEqual(first.count);
  });

  test('a worker that dies is replaced, and the other one serves meanwhile', async () => {
    const before = workersOf(server);
    expect(before).toHaveLength(2);
    process.kill(before[0] as number, 'SIGKILL');
    await expect.poll(() => workersOf(server)).toEqual([before[1]]);
    // A connection to the dead worker breaks; the client opens another.
    const healthz = () => fetch(`${server.url}/healthz`).catch(() => null);
    await expect.poll(async () => (await healthz())?.status).toBe(200);
    await expect.poll(() => workersOf(server).length).toBe(2);
    expect(workersOf(server)).not.toContain(before[0]);
  });
});

test('two workers finish their requests after SIGTERM', async ({ shop, shopServer, provider }) => {
  const server = await startKillableServer({ ...twoWorkers, DRAIN_SECONDS: '10' });
  const sellers = cardMerchant(server.url, shop.credentials, shopServer);
  const orderIds = Array.from({ length: 6 }, () => `drain-${crypto.randomUUID()}`);
  for (const orderId of orderIds) await provider.fault({ fault: 'late', call: 'payment', seconds: 2 }, orderId);
  const selling = orderIds.map((order_id) => sellers.sell({ order_id }));
  await new Promise((done) => setTimeout(done, 1_000));
  const ended = server.end();
  await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status).toBe(503);
  const results = (await Promise.all(selling)).map(({ answer }) => answer.body.result);
  expect(results).toEqual(orderIds.map(() => 'SUCCESS'));
  expect(await ended).toBe(0);
});

test.describe(() => {
  const atOnce = testsAtOnce();

  atOnce('a server whose workers cannot start ends with the reason', async () => {
    const failure = await startKillableServer({ ...twoWorkers, HOST: '192.0.2.1' }).catch(
      (error: Error) => error.message,
    );
    expect(failure).toContain('EADDRNOTAVAIL');
  });

  atOnce('HOST limits the server to one address; without it all are served', async ({ florin }) => {
    const server = await startKillableServer({ HOST: '127.0.0.1' });
    const other = (url: string) => fetch(`${url.replace('localhost', '127.0.0.2')}/healthz`);
    try {
      expect((await other(florin)).status).toBe(200);
      expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
      await expect(other(server.url)).rejects.toThrow('fetch failed');
    } finally {
      await server.kill();
    }
  });
});
