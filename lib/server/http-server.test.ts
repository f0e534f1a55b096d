// Slow clients and upgrades over real connections, with limits of less than a second.
import { spawnSync } from 'node:child_process';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { createHttpServer, listen, requestListener } from './http-server.ts';

const limits = { headers: 0.1, request: 0.4, response: 0.2, keepAlive: 0.3, check: 0.05 };
const large = 'x'.repeat(16 * 1024 * 1024);
let server: Server;

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Serves `large` at /large, waits before the answer at /late, and answers at any other path. */
async function serve(options: Parameters<typeof createHttpServer>[1] = {}): Promise<void> {
  server = createHttpServer(
    async (incoming, outgoing) => {
      if (incoming.url === '/late') await pause(600);
      outgoing.end(incoming.url === '/large' ? large : 'served');
    },
    { limits, ...options },
  );
  await listen(server, 0, '127.0.0.1');
}

function open(text: string): Socket {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(text);
  return socket;
}

/** What the server sends until it closes the connection. */
function read(socket: Socket): Promise<string> {
  return new Promise((done) => {
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes;
    });
    socket.on('error', () => {});
    socket.on('close', () => done(text));
  });
}

it.each([
  ['nothing', ''],
  ['headers that do not end', 'GET / HTTP/1.1\r\nhost: a\r\n'],
  ['a body that does not end', 'POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\na'],
])('closes a connection with %s', async (_name, text) => {
  await serve();
  expect(await read(open(text))).toMatch(/^HTTP\/1\.1 (408|200)/);
});

it('closes a client that does not read its response', async () => {
  await serve();
  const closed = new Promise<boolean>((done) => {
    server.once('connection', (socket) => socket.once('close', () => done(true)));
  });
  const socket = open('GET /large HTTP/1.1\r\nhost: a\r\n\r\n');
  socket.on('error', () => {});
  expect(await Promise.race([closed, pause(3_000, false)])).toBe(true);
  socket.destroy();
});

it('waits for a slow handler, and keeps the connection for the next request', async () => {
  await serve();
  const socket = open('GET /late HTTP/1.1\r\nhost: a\r\n\r\n');
  await pause(700);
  socket.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n');
  const text = await read(socket);
  expect(text.match(/served/g)).toHaveLength(2);
});

it('refuses upgrades and answers offers of h2c', async () => {
  await serve();
  const upgrade = (name: string) => `GET / HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: ${name}\r\n\r\n`;
  expect(await read(open(upgrade('websocket')))).toMatch(/^HTTP\/1\.1 400 /);
  expect(await read(open(upgrade('h2c')))).toMatch(/^HTTP\/1\.1 200 /);
});

it('gives the upgrades of the development server to Next, and only those', async () => {
  await serve({
    hotReload: (incoming, socket) => socket.end(`HTTP/1.1 101 Switching Protocols\r\n\r\nnext ${incoming.url}`),
  });
  const upgrade = (path: string) =>
    `GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`;
  expect(await read(open(upgrade('/_next/webpack-hmr')))).toContain('next /_next/webpack-hmr');
  expect(await read(open(upgrade('/pay/x')))).toMatch(/^HTTP\/1\.1 400 /);
});

it('queues connections in the kernel while the process is busy', async () => {
  await serve();
  // More connections than Node's default backlog. The event loop is blocked meanwhile and accepts none.
  const { port } = server.address() as AddressInfo;
  const clientScript = `
    let connected = 0;
    for (let i = 0; i < 700; i += 1) require('node:net').connect(${port}, '127.0.0.1', () => { connected += 1; });
    setTimeout(() => { process.stdout.write(String(connected)); process.exit(); }, 700);`;
  const { stdout } = spawnSync(process.execPath, ['-e', clientScript], { encoding: 'utf8' });
  expect(stdout).toBe('700');
});

it('reports a port in use', async () => {
  await serve();
  const again = listen(
    createHttpServer(() => {}),
    (server.address() as AddressInfo).port,
    '127.0.0.1',
  );
  await expect(again).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('renders one page of the documentation at a time, other pages beside it, and waits for no slow reader', async () => {
  const running = { docs: 0, other: 0 };
  const most = { docs: 0, other: 0 };
  const listener = requestListener({
    serveFile: () => null,
    serve: async () => null,
    servePage: async ({ url = '' }, outgoing) => {
      const kind = url.startsWith('/docs') ? 'docs' : 'other';
      running[kind] += 1;
      most[kind] = Math.max(most[kind], running[kind]);
      await pause(20);
      running[kind] -= 1;
      if (url === '/docs/slow') await pause(2_000);
      outgoing.end('page');
    },
    closing: new AbortController().signal,
  });
  server = createHttpServer(listener, { limits });
  await listen(server, 0, '127.0.0.1');
  const get = (path: string) => read(open(`GET ${path} HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n`));
  const slow = get('/docs/slow');
  const paths = ['/docs', '/docs/a', '/docs/b?c', '/dashboard/sign-in', '/', '/nothing'];
  const answers = await Promise.all(paths.map(get));
  for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  expect(most).toEqual({ docs: 1, other: 3 });
  expect(running).toEqual({ docs: 0, other: 0 });
  expect(await slow).toMatch(/^HTTP\/1\.1 200 /);
});
