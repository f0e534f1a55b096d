// The limit of connections of one address (CONNECTIONS_PER_ADDRESS) on real servers: further connections get 429, those of
// trusted proxies do not count, and each worker process counts its own.
import { readFileSync } from 'node:fs';
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
        socket.write('GET /robots.txt HTTP/1.1\r\nhost: florin\r\n\r\n');
      }),
  );
  const close = () => {
    for (const socket of sockets) socket.destroy();
  };
  return { statuses: await Promise.all(statuses), close };
}

const served = (statuses: number[]) => statuses.filter((status) => status === 200).length;

/** Opens connections and closes them; returns how many were served, after checking that the others got 429. */
async function servedOf(server: KillableServer, count: number): Promise<number> {
  const { statuses, close } = await openMany(server, count);
  close();
  expect(statuses.filter((status) => status === 429)).toHaveLength(count - served(statuses));
  return served(statuses);
}

test('connections over the limit get 429 and are counted', async () => {
  const server = await startKillableServer(limit);
  try {
    // The connection of the check at the start counts too.
    const accepted = await servedOf(server, 15);
    expect([9, 10]).toContain(accepted);
    await expect.poll(async () => (await fetch(`${server.url}/robots.txt`)).status).toBe(200);
    const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` };
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
    const counted = Number(/^florin_refused_connections_total (\d+)/m.exec(metrics)?.[1]);
    expect(counted).toBeGreaterThanOrEqual(15 - accepted);
  } finally {
    await server.kill();
  }
});

test('each worker process counts its own', async () => {
  const server = await startKillableServer({ ...limit, WEB_CONCURRENCY: '2' });
  try {
    // The second worker may start later.
    await expect.poll(() => servedOf(server, 30)).toBeGreaterThan(10);
    expect(await servedOf(server, 30)).toBeLessThanOrEqual(20);
  } finally {
    await server.kill();
  }
});

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

test('bodies in parts of one byte take little memory', async () => {
  const server = await startKillableServer({ TEST_CONTROL_TOKEN: '' });
  const { hostname, port } = new URL(server.url);
  const memoryMegabytes = () =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024;
  const head = 'POST /api/v1/session HTTP/1.1\r\nhost: florin\r\ncontent-type: application/json\r\n';
  const sockets = Array.from({ length: 60 }, () => connect(Number(port), hostname));
  try {
    const before = memoryMegabytes();
    await Promise.all(
      sockets.map(
        (socket) =>
          new Promise<void>((sent) => {
            socket.on('error', () => {});
            socket.write(`${head}transfer-encoding: chunked\r\n\r\n${'1\r\n{\r\n'.repeat(9_990)}`, () => sent());
          }),
      ),
    );
    // The server has read all of it when it answers another request on a new connection.
    expect((await fetch(`${server.url}/robots.txt`)).status).toBe(200);
    await new Promise((wake) => setTimeout(wake, 2000));
    expect(memoryMegabytes() - before).toBeLessThan(150);
  } finally {
    for (const socket of sockets) socket.destroy();
    await server.kill();
  }
});
