// A second server on the database of the server under test, which tests kill without warning: other processes must
// finish its work.
import { spawn } from 'node:child_process';
import { freePort } from '../../scripts/ports.ts';

export type KillableServer = {
  url: string;
  /** For signals, mainly SIGSTOP and SIGCONT. */
  pid: number;
  /** Its output so far. */
  output(): string;
  kill(): Promise<void>;
  /** Stops the server; resolves with its exit code, or with the signal that ended it. */
  end(): Promise<number | string | null>;
};

/**
 * Starts a server on the port of the settings or a free one, without jobs of its own and with additional settings
 * (`{port}` in them is that port), in the project's folder or a copy of it. Resolves once it responds, which is checked every `lookMilliseconds`.
 */
export async function startKillableServer(
  more: Record<string, string> = {},
  folder?: string,
  lookMilliseconds = 100,
): Promise<KillableServer> {
  const text = process.env.FLORIN_SERVER;
  if (!text) throw new Error('FLORIN_SERVER is missing: the settings of a server');
  const { script, settings } = JSON.parse(text) as { script: string; settings: Record<string, string> };
  const port = more.PORT ? Number(more.PORT) : await freePort();
  const url = `http://localhost:${port}`;
  const own = Object.entries(more).map(([name, value]) => [name, value.replace('{port}', String(port))]);
  const env = {
    ...process.env,
    ...settings,
    PORT: String(port),
    BASE_URL: url,
    JOBS: 'off',
    LOG_LEVEL: 'error',
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
  let early: number | string | null | undefined;
  void ended.then((code) => {
    early = code;
  });
  for (const until = Date.now() + 180_000; Date.now() < until; ) {
    if (early !== undefined) throw new Error(`the second server ended at its start (${early}):\n${output}`);
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
    await new Promise((resolve) => setTimeout(resolve, lookMilliseconds));
  }
  child.kill('SIGKILL');
  throw new Error('the second server did not start');
}
