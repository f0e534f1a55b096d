import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

vi.hoisted(() => vi.resetModules());
const zlib = vi.hoisted(() => ({ compressed: 0 }));
vi.mock('node:zlib', async (original) => {
  const real = await original<typeof import('node:zlib')>();
  const brotliCompress = (...args: Parameters<typeof real.brotliCompress>) => {
    zlib.compressed += 1;
    real.brotliCompress(...args);
  };
  return { ...real, brotliCompress };
});

const script = 'export const value = 1;\n'.repeat(100);
let folder: string;
let server: Server;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'florin-built-'));
  mkdirSync(join(folder, 'chunks'));
  writeFileSync(join(folder, 'chunks', 'a.js'), script);
  writeFileSync(join(folder, 'tiny.js'), 'tiny');
  writeFileSync(join(folder, 'tiny.js.br'), 'the copy of the build');
  writeFileSync(join(folder, 'font.woff2'), Buffer.alloc(2000));
  writeFileSync(join(folder, 'notes.md'), 'not served');
  const headers = { 'cache-control': 'public, max-age=31536000, immutable' };
  // Other test files may have loaded it with the real zlib.
  vi.resetModules();
  const { builtFiles } = await import('./built-files.ts');
  const serve = builtFiles([{ prefix: '/files/', folder, isComplete: true, headers }]);
  server = createServer((incoming, outgoing) => {
    if (serve(incoming, outgoing) === null) outgoing.writeHead(418).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

type Received = { status: number; headers: Record<string, unknown>; body: Buffer };

const load = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  new Promise<Received>((done, fail) => {
    const { port } = server.address() as AddressInfo;
    const sent = request({ host: '127.0.0.1', port, path, method, headers, agent: false }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part) => parts.push(part));
      answer.on('end', () =>
        done({ status: answer.statusCode ?? 0, headers: answer.headers, body: Buffer.concat(parts) }),
      );
    });
    sent.on('error', fail).end();
  });

test('compresses a file at its first request only', async () => {
  const br = { 'accept-encoding': 'br' };
  const first = await load('/files/chunks/a.js', br);
  expect(brotliDecompressSync(first.body).toString()).toBe(script);
  expect(first.headers).toMatchObject({
    'content-encoding': 'br',
    'cache-control': 'public, max-age=31536000, immutable',
    'content-security-policy': expect.stringContaining("default-src 'none'"),
  });
  expect((await load('/files/chunks/a.js?x', br)).body.equals(first.body)).toBe(true);
  expect(zlib.compressed).toBe(1);
  const head = await load('/files/chunks/a.js', br, 'HEAD');
  expect([head.headers['content-length'], head.body.length]).toEqual([String(first.body.length), 0]);
});

test('prefers the copies of the build, and compresses no fonts', async () => {
  const br = { 'accept-encoding': 'br' };
  expect((await load('/files/tiny.js', br)).body.toString()).toBe('the copy of the build');
  expect((await load('/files/tiny.js', { 'accept-encoding': 'gzip' })).headers['content-encoding']).toBeUndefined();
  expect((await load('/files/font.woff2', br)).headers['content-encoding']).toBeUndefined();
});

test('answers unknown addresses and known versions without a body, and leaves other requests to others', async () => {
  for (const path of ['/files/nothing.js', '/files/notes.md', '/files/../package.json']) {
    const { status, headers, body } = await load(path);
    expect([path, status, body.length, headers['x-content-type-options']]).toEqual([path, 404, 0, 'nosniff']);
  }
  const { headers } = await load('/files/chunks/a.js');
  const again = await load('/files/chunks/a.js', { 'if-none-match': String(headers.etag) });
  expect([again.status, again.body.length]).toEqual([304, 0]);
  expect([(await load('/other/a.js')).status, (await load('/files/chunks/a.js', {}, 'POST')).status]).toEqual([
    418, 418,
  ]);
});
