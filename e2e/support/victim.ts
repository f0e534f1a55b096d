// A server of a test's own, on the database of the one under test, started to be killed without warning: what it had
// begun has to be finished by whoever is left.
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
  /** Asks it to end; resolves when it has. */
  end(): Promise<void>;
};

/**
 * Starts one on a free port, without jobs of its own and with these settings besides (`{port}` in them is that port), in the
 * project's folder or a copy of it; resolves when it serves.
 */
export async function startVictim(more: Record<string, string> = {}, folder?: string): Promise<Victim> {
  const text = process.env.FLORIN_SERVER;
  if (!text) throw new Error('FLORIN_SERVER says how to start a server');
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
  const ended = new Promise<void>((done) => child.once('exit', () => done()));
  for (let tries = 0; tries < 300; tries += 1) {
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
          await ended;
        },
      };
    }
    await new Promise((wake) => setTimeout(wake, 100));
  }
  child.kill('SIGKILL');
  throw new Error('the server to be killed never served');
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((listening) => probe.listen(0, '127.0.0.1', listening));
  const { port } = probe.address() as AddressInfo;
  await new Promise((closed) => probe.close(closed));
  return port;
}
