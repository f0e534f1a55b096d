// A second server on the database of the one under test, to be killed without warning: other processes must finish its
// work.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Victim = {
  url: string;
  /** For signals: SIGSTOP and SIGCONT above all. */
  pid: number;
  /** What it has printed so far. */
  output(): string;
  kill(): Promise<void>;
  /** Asks it to end; resolves when it has, to its exit code, or to the signal that it died of. */
  end(): Promise<number | string | null>;
};

/**
 * Starts one on a free port, without jobs of its own and with these settings besides (`{port}` in them is that port), in the
 * project's folder or a copy of it; resolves when it serves, which is looked for every `lookMilliseconds`.
 */
export async function startVictim(
  more: Record<string, string> = {},
  folder?: string,
  lookMilliseconds = 100,
): Promise<Victim> {
  const text = process.env.FLORIN_SERVER;
  if (!text) throw new Error('FLORIN_SERVER is missing: how to start a server');
  const { script, settings } = JSON.parse(text) as { script: string; settings: Record<string, string> };
  const port = await freePort();
  const url = `http://localhost:${port}`;
  const own = Object.entries(more).map(([name, value]) => [name, value.replace('{port}', String(port))]);
  const env = {
    ...process.env,
    ...settings,
    PORT: String(port),
    BASE_URL: url,
    JOBS: 'off',
    LOG_LEVEL: 'silent',
    ...Object.fromEntries(own),
  };
  const child = spawn(process.execPath, [script], { env, cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const ended = new Promise<number | string | null>((done) => {
    child.once('exit', (code, signal) => done(code ?? signal));
  });
  for (const until = Date.now() + 60_000; Date.now() < until; ) {
    const answer = await fetch(`${url}/healthz`).catch(() => null);
    if (answer?.status === 200) {
      return {
        url,
        pid: child.pid ?? 0,
        output: () => output,
        async kill() {
          child.kill('SIGKILL');
          await ended;
        },
        async end() {
          child.kill('SIGTERM');
          return ended;
        },
      };
    }
    await new Promise((wake) => setTimeout(wake, lookMilliseconds));
  }
  child.kill('SIGKILL');
  throw new Error('the second server did not start');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
