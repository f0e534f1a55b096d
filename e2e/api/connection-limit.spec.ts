// The limit of connections of one address (CONNECTIONS_PER_ADDRESS) on real servers: further connections get 429, those of
// trusted proxies do not count, and each worker process counts its own.
import { connect } from 'node:net';
import { type KillableServer, startKillableServer } from '../support/killable-server.ts';
import { expect, test } from '../support/test.ts';

const limit = { CONNECTIONS_PER_ADDRESS: '10', TEST_CONTROL_TOKEN: '' };

/** Opens connections one after the other, each with a request; returns the statuses and a function that closes them. */
async function openMany({ url }: KillableServer, count: number) {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname));
  const statuses = sockets.map(
    (socket) =>
      new Promise<number>((done, failed) => {
        socket.once('data', (bytes) => done(Number(bytes.toString('latin1').slice(9, 12))));
        socket.once('error', failed);
        socket.write('GET /healthz HTTP/1.1\r\nhost: florin\r\n\r\n');
      }),
  );
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { statuses: await Promise.all(statuses), close };
}

const served = (statuses: number[]) => statuses.filter((status) => status === 200).length;

for (const [name, settings, most, opened] of [
  ['one process', limit, 10, 15],
  ['two workers', { ...limit, WEB_CONCURRENCY: '2' }, 20, 30],
] as const) {
  test(`${name}: connections over the limit get 429 and are counted`, async () => {
    const server = await startKillableServer(settings);
    try {
      const { statuses, close } = await openMany(server, opened);
      // The connection of the check at the start counts too.
      expect(served(statuses)).toBeLessThanOrEqual(most);
      expect(served(statuses)).toBeGreaterThanOrEqual(most - 4);
      expect(statuses.filter((status) => status === 429)).toHaveLength(opened - served(statuses));
      close();
      await expect.poll(async () => (await fetch(`${server.url}/healthz`)).status).toBe(200);
      const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
      const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
      expect(Number(/^florin_refused_connections_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThanOrEqual(
        opened - served(statuses),
      );
    } finally {
      await server.kill();
    }
  });
}

test('the connections of a trusted proxy have no limit', async () => {
  const server = await startKillableServer({ ...limit, TRUSTED_PROXIES: 'loopback' });
  try {
    const { statuses, close } = await openMany(server, 30);
    expect(served(statuses)).toBe(30);
    close();
  } finally {
    await server.kill();
  }
});
