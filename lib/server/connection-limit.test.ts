// The limit of connections over real ones, from several addresses of this machine.
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { metrics } from '../telemetry/index.ts';
import type { ConnectionLimit } from './connection-limit.ts';
import { createHttpServer, listen } from './http-server.ts';

let server: Server;
let sockets: Socket[] = [];
let handled = 0;

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.closeAllConnections();
  server.close();
  sockets = [];
  handled = 0;
});

async function serve(connections: ConnectionLimit): Promise<void> {
  const onRequest: Parameters<typeof createHttpServer>[0] = (_incoming, outgoing) => {
    handled += 1;
    outgoing.end('served');
  };
  server = createHttpServer(onRequest, { connections });
  await listen(server, 0, '127.0.0.1');
}

/** Connects from an address of this machine and sends `text`; what is received comes in `received`. */
function open(localAddress: string, text = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n') {
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', localAddress });
  sockets.push(socket);
  const connection = { socket, received: '', closed: false };
  socket.on('data', (bytes) => {
    connection.received += bytes;
  });
  socket.on('error', () => {});
  socket.on('close', () => {
    connection.closed = true;
  });
  socket.write(text);
  return connection;
}

const status = async (connection: ReturnType<typeof open>) => {
  await expect.poll(() => connection.received, { timeout: 5_000 }).toMatch(/^HTTP/);
  return Number(connection.received.slice(9, 12));
};
const never = () => false;
const refusedConnections = async () => (await metrics.refusedConnections.get()).values[0]?.value ?? 0;

it('refuses the request of a connection over the limit of its address, without handling it', async () => {
  await serve({ max: 2, isExempt: never });
  const before = await refusedConnections();
  const kept = [open('127.0.0.1'), open('127.0.0.1')];
  expect(await Promise.all(kept.map(status))).toEqual([200, 200]);
  const third = open('127.0.0.1');
  expect(await status(third)).toBe(429);
  for (const header of ['connection: close', 'retry-after: 1']) {
    expect(third.received.toLowerCase()).toContain(`\r\n${header}\r\n`);
  }
  await expect.poll(() => third.closed).toBe(true);
  expect([handled, (await refusedConnections()) - before]).toEqual([2, 1]);
  // Another address, and the connections from before.
  expect(await status(open('127.0.0.2'))).toBe(200);
  kept[0]?.socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  await expect.poll(() => kept[0]?.received.match(/served/g)?.length).toBe(2);
});

it('accepts a connection when another one of the address has closed', async () => {
  await serve({ max: 1, isExempt: never });
  const first = open('127.0.0.1');
  expect(await status(first)).toBe(200);
  // Refused ones do not count.
  expect(await status(open('127.0.0.1'))).toBe(429);
  expect(await status(open('127.0.0.1'))).toBe(429);
  first.socket.destroy();
  await expect.poll(async () => status(open('127.0.0.1')), { timeout: 5_000 }).toBe(200);
});

it('closes a refused connection that sends no request', async () => {
  await serve({ max: 1, isExempt: never });
  expect(await status(open('127.0.0.1'))).toBe(200);
  const silent = open('127.0.0.1', 'GET / HTTP/1.1\r\n');
  await expect.poll(() => silent.closed, { timeout: 5_000 }).toBe(true);
  expect([silent.received, handled]).toEqual(['', 1]);
});

it('has no limit for proxies', async () => {
  await serve({ max: 1, isExempt: (address) => address === '127.0.0.2' });
  const behind = [open('127.0.0.2'), open('127.0.0.2'), open('127.0.0.2')];
  expect(await Promise.all(behind.map(status))).toEqual([200, 200, 200]);
});
