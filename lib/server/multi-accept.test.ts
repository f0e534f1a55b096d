// Real sockets: how many connections one turn of the event loop accepts, and that every handle serves and closes.
import { spawnSync } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { listenMultiAccept } from './multi-accept';

const opened: { close: () => void }[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) each.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Opens `count` connections in one turn and returns in how many turns the servers have accepted them. */
async function turnsFor(count: number, servers: Server[], port: number): Promise<number> {
  let turn = 0;
  let running = true;
  const next = () => {
    turn += 1;
    if (running) setImmediate(next);
  };
  const turns: number[] = [];
  const all = new Promise<void>((done) => {
    for (const server of servers) {
      server.on('connection', () => {
        turns.push(turn);
        if (turns.length === count) done();
      });
    }
  });
  const sockets: Socket[] = Array.from({ length: count }, () => connect(port, '127.0.0.1').on('error', () => {}));
  next();
  await all;
  running = false;
  for (const socket of sockets) socket.destroy();
  return new Set(turns).size;
}

test('accepts several new connections per turn', async () => {
  const alone = createServer();
  opened.push(alone);
  await new Promise<void>((done) => alone.listen(0, '127.0.0.1', done));
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  expect(servers).toHaveLength(8);
  const wide = await turnsFor(40, servers, portOf(servers[0] as Server));
  expect(wide * 3).toBeLessThan(await turnsFor(40, [alone], portOf(alone)));
});

test('each handle serves, and the port is closed after all are closed', async () => {
  const seen = new Set<number>();
  let made = 0;
  const servers = await listenMultiAccept(
    () => {
      const number = made;
      made += 1;
      return createServer((_, outgoing) => {
        seen.add(number);
        outgoing.setHeader('connection', 'close').end('served');
      });
    },
    0,
    '127.0.0.1',
  );
  opened.push(...servers);
  const url = `http://127.0.0.1:${portOf(servers[0] as Server)}/`;
  const get = async () => (await fetch(url)).text();
  for (let attempts = 0; attempts < 50 && seen.size < 8; attempts += 1) {
    const answers = await Promise.all(Array.from({ length: 40 }, get));
    expect(new Set(answers)).toEqual(new Set(['served']));
  }
  expect(seen.size).toBe(8);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  await expect(fetch(url)).rejects.toThrow();
});

test('connections wait in the kernel while the process is busy', async () => {
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  // More connections than Node's default backlog. The event loop is blocked meanwhile and accepts none.
  const clientScript = `
    let connected = 0;
    for (let i = 0; i < 700; i += 1) require('node:net').connect(${portOf(servers[0] as Server)}, '127.0.0.1', () => { connected += 1; });
    setTimeout(() => { process.stdout.write(String(connected)); process.exit(); }, 700);`;
  const { stdout } = spawnSync(process.execPath, ['-e', clientScript], { encoding: 'utf8' });
  expect(stdout).toBe('700');
});

test('a port in use is an error', async () => {
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  const again = listenMultiAccept(() => createServer(), portOf(servers[0] as Server), '127.0.0.1');
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('without copied handles one server listens', async () => {
  const node = process.execPath;
  process.execPath = '/nowhere/node';
  const servers = await listenMultiAccept(
    () => createServer((_, outgoing) => outgoing.end('served')),
    0,
    '127.0.0.1',
  ).finally(() => {
    process.execPath = node;
  });
  opened.push(...servers);
  expect(servers).toHaveLength(1);
  const answer = await fetch(`http://127.0.0.1:${portOf(servers[0] as Server)}/`, { headers: { connection: 'close' } });
  expect(await answer.text()).toBe('served');
});
