// Real sockets of this process: how many new connections a turn of its event loop takes, and that every handle serves and
// closes.
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

/** Opens `count` connections in one turn; gives in how many turns the servers have taken them. */
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

test('takes several new connections a turn', async () => {
  const alone = createServer();
  opened.push(alone);
  await new Promise<void>((done) => alone.listen(0, '127.0.0.1', done));
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  expect(servers).toHaveLength(8);
  const wide = await turnsFor(40, servers, portOf(servers[0] as Server));
  expect(wide * 3).toBeLessThan(await turnsFor(40, [alone], portOf(alone)));
});

test('each handle serves, and nobody listens when all are closed', async () => {
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
  const ask = async () => (await fetch(url)).text();
  for (let tries = 0; tries < 50 && seen.size < 8; tries += 1) {
    const answers = await Promise.all(Array.from({ length: 40 }, ask));
    expect(new Set(answers)).toEqual(new Set(['served']));
  }
  expect(seen.size).toBe(8);
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  await expect(fetch(url)).rejects.toThrow();
});

test('a crowd waits in the kernel while the process is busy', async () => {
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  // More than the kernel keeps for Node by default. Nothing is taken meanwhile: the event loop stands until the crowd has gone.
  const crowd = `
    let connected = 0;
    for (let i = 0; i < 700; i += 1) require('node:net').connect(${portOf(servers[0] as Server)}, '127.0.0.1', () => { connected += 1; });
    setTimeout(() => { process.stdout.write(String(connected)); process.exit(); }, 700);`;
  const { stdout } = spawnSync(process.execPath, ['-e', crowd], { encoding: 'utf8' });
  expect(stdout).toBe('700');
});

test('a port that is taken is told', async () => {
  const servers = await listenMultiAccept(() => createServer(), 0, '127.0.0.1');
  opened.push(...servers);
  const again = listenMultiAccept(() => createServer(), portOf(servers[0] as Server), '127.0.0.1');
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

test('where no handle can be copied one listens alone', async () => {
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
