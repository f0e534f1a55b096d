// Scanning by clamd, against a strict stand-in: the framing of INSTREAM, and that only one complete answer is believed.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Clamd, type ClamdMode, finding, malware, startClamd } from '../../e2e/support/clamd.ts';

let clamd: Clamd;
beforeAll(async () => {
  clamd = await startClamd();
});
afterAll(() => clamd.close());
afterEach(() => {
  expect(clamd.faults).toEqual([]);
  clamd.files.length = 0;
  clamd.mode = 'scan';
  vi.unstubAllEnvs();
  vi.resetModules();
});

/** A file, scanned at an address of CLAMAV_URL; by default the stand-in's. */
async function scan(file: Uint8Array, url = `tcp://127.0.0.1:${clamd.port}`, seconds?: number) {
  vi.stubEnv('CLAMAV_URL', url);
  vi.stubEnv('LOG_LEVEL', 'silent');
  vi.resetModules();
  const { scanFile } = await import('./clamd.ts');
  return scanFile(file, seconds);
}

describe('a file', () => {
  it.each([0, 1, 65_535, 65_536, 65_537, 200_000, 1_000_000])('of %d bytes is sent whole', async (length) => {
    const file = randomBytes(length);
    expect(await scan(file)).toEqual({ kind: 'clean' });
    expect(clamd.files.map((each) => each.equals(file))).toEqual([true]);
  });

  it('with a finding is infected', async () => {
    expect(await scan(Buffer.from(`--${malware}--`))).toEqual({ kind: 'infected', finding });
  });

  it('is sent to nothing without CLAMAV_URL', async () => {
    expect(await scan(Buffer.from(malware), '')).toEqual({ kind: 'clean' });
    expect(clamd.files).toEqual([]);
  });

  it('is sent over a Unix socket', async () => {
    const path = join(tmpdir(), `clamd-${process.pid}.sock`);
    const server = createServer((socket) => socket.on('data', () => socket.end('stream: OK\0'))).listen(path);
    await new Promise((listening) => server.once('listening', listening));
    expect(await scan(Buffer.from('x'), `unix:${path}`)).toEqual({ kind: 'clean' });
    server.close();
    rmSync(path, { force: true });
    expect(await scan(Buffer.from('x'), `unix:${path}`)).toEqual({ kind: 'unscanned', why: 'ENOENT' });
  });
});

describe('an answer that cannot be believed leaves the file unscanned:', () => {
  it.each<[ClamdMode, string]>([
    ['error', 'INSTREAM size limit exceeded. ERROR'],
    ['silent', 'timeout'],
    ['cut', 'ECONNRESET'],
    ['half', 'an unknown answer'],
    ['both', 'an unknown answer'],
    ['unknown', 'an unknown answer'],
    ['unended', 'an unknown answer'],
    ['endless', 'too long an answer'],
  ])('%s', async (mode, why) => {
    clamd.mode = mode;
    expect(await scan(Buffer.from('harmless'), undefined, mode === 'silent' ? 0.1 : undefined)).toEqual({
      kind: 'unscanned',
      why,
    });
  });

  it('an unreachable clamd', async () => {
    const other = await startClamd();
    await other.close();
    expect(await scan(Buffer.from('x'), `tcp://127.0.0.1:${other.port}`)).toEqual({
      kind: 'unscanned',
      why: 'ECONNREFUSED',
    });
  });

  it('a clamd that closes without reading', async () => {
    const server = createServer((socket) => socket.end()).listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as { port: number };
    expect((await scan(randomBytes(1_000_000), `tcp://127.0.0.1:${port}`)).kind).toBe('unscanned');
    server.close();
  });
});
