// The conformance command against the example adapter, which keeps the contract, and against a server that does not.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from '../ports.ts';

const root = join(import.meta.dirname, '..', '..');
const apiKey = 'key-of-the-adapter';
const folder = mkdtempSync(join(tmpdir(), 'florin-conformance-'));
let adapter: ChildProcess;
let url = '';

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  const env = { ...process.env, API_KEY: apiKey, SIGNING_SECRET: 'whsec_AAECAwQFBgcICQoLDA0ODw==', PORT: String(port) };
  adapter = spawn(process.execPath, [join(root, 'examples', 'adapter', 'adapter.mjs')], { cwd: folder, env });
  for (let attempts = 0; attempts < 100; attempts += 1) {
    if (await fetch(url).catch(() => null)) return;
    await new Promise((wake) => setTimeout(wake, 50));
  }
  throw new Error('the adapter did not start');
});

afterAll(() => {
  adapter.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

test('the example adapter passes every check', () => {
  const env = { ...process.env, API_KEY: apiKey };
  const run = spawnSync(process.execPath, [join(root, 'scripts', 'florin.mjs'), 'provider', 'check', url], {
    env,
    encoding: 'utf8',
  });
  expect(run.stdout).not.toContain('FAIL');
  expect(run.stdout).toMatch(/\n\d+ checks, 0 failed\.\n$/);
  expect(run.status).toBe(0);
});

test('a server that approves everything fails', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"approved"}');
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  const child = spawn(
    process.execPath,
    [join(root, 'scripts', 'florin.mjs'), 'provider', 'check', `http://127.0.0.1:${port}`],
    { env: { ...process.env, API_KEY: apiKey } },
  );
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk) => said.push(chunk));
  const code = await new Promise((done) => child.on('close', done));
  server.close();
  expect(Buffer.concat(said).toString()).toContain('FAIL  a wrong API key gets 401');
  expect(code).toBe(1);
});
