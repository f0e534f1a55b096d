// The server of the end-to-end tests and its database, isolated from other processes on this machine.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { freePort } from '../../scripts/ports.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { root } from '../../scripts/project.ts';

const patienceSeconds = 60;

/**
 * Starts the database and the server on the build in `folder`, which is relative to the project and holds `next/` and
 * `dist/`; `home` is the folder of the logs, `pages` that of the pages if they are elsewhere.
 */
export async function startServers(
  folder: string,
  { home: place = folder, pages = join(folder, 'next') }: { home?: string; pages?: string } = {},
) {
  const home = join(root, place);
  const script = join(root, folder, 'dist', 'server.js');
  mkdirSync(home, { recursive: true });
  const postgres = await startTemporaryPostgres();
  const children: Server[] = [];
  const stopAll = async () => {
    for (const child of children) child.process.kill('SIGKILL');
    await postgres.stop();
  };
  try {
    const port = await freePort();
    const shared = {
      ...sandboxSettings(postgres.url),
      METRICS_TOKEN: randomBytes(16).toString('hex'),
      LOG_LEVEL: 'debug',
      NEXT_DIST_DIR: pages,
      // The roots of the tests' wallet tokens.
      APPLE_PAY_ROOTS: join(root, 'e2e', 'support', 'wallet-roots', 'apple.pem'),
      GOOGLE_PAY_ROOTS_TEST: join(root, 'e2e', 'support', 'wallet-roots', 'google.json'),
      APPLE_PAY_TOLERANCE_SECONDS: '',
      // The address of the wallet button test.
      APPLE_PAY_GATEWAY: 'http://127.0.0.1:28417',
    };
    const settings = (at: number) => ({ ...shared, PORT: String(at), BASE_URL: `http://localhost:${at}` });
    await migrate(postgres.url);
    const seed = join(home, 'seed.mjs');
    await bundle('e2e/seed/main.ts', seed);
    await run(process.execPath, [seed], settings(port));
    const production = launch('production', [script], settings(port), home);
    children.push(production);
    await ready(production, port);
    const variables = {
      FLORIN_URL: `http://localhost:${port}`,
      // How a test starts its own server on the same database, to kill it, and seeds a database of its own.
      FLORIN_SERVER: JSON.stringify({ script, seed, settings: shared }),
      TEST_CONTROL_TOKEN: shared.TEST_CONTROL_TOKEN,
      METRICS_TOKEN: shared.METRICS_TOKEN,
      DEMO_PASSWORD: shared.DEMO_PASSWORD,
    };
    return { variables, databaseUrl: postgres.url, production, logs: children.map(({ log }) => log), stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

/** The settings of a sandbox on the database at `databaseUrl`; empty ones hide those of this machine's environment. */
export function sandboxSettings(databaseUrl: string) {
  return {
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    APP_ENV: 'sandbox',
    JOBS: 'on',
    DATABASE_URL: databaseUrl,
    VAULT_KEY: randomBytes(32).toString('base64'),
    DEMO_PASSWORD: randomBytes(12).toString('base64url'),
    TEST_CONTROL_TOKEN: randomBytes(16).toString('hex'),
    // All requests come from one address.
    RATE_LIMITS: 'all=100000000',
    SECURITY_CONTACT: 'mailto:security@florin.test',
    CONNECTIONS_PER_ADDRESS: '0',
    ALLOW_PRIVATE_TARGETS: 'on',
    HOST: '',
    TRUSTED_PROXIES: '',
    CHECKOUT_HOST: '',
    S2S_CARD_HOST: '',
    S2S_APM_HOST: '',
    DASHBOARD_HOST: '',
    CLAMAV_URL: '',
    WEB_CONCURRENCY: '',
    DATABASE_POOL_SIZE: '',
    SMTP_URL: '',
    SMS_GATEWAY_URL: '',
  };
}

/** A server process; `code` is its exit code or signal once it has ended. */
export type Server = { name: string; log: string; process: ChildProcess; code: number | string | null | undefined };

/** Starts a server that logs to `home`. */
export function launch(name: string, args: string[], settings: Record<string, string>, home: string): Server {
  const log = join(home, `${name}.log`);
  const file = openSync(log, 'w');
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...settings },
    stdio: ['ignore', file, file],
  });
  const server: Server = { name, log, process: child, code: undefined };
  child.on('exit', (code, signal) => {
    server.code = code ?? signal;
  });
  return server;
}

/** Waits until a server is ready; throws with the end of its log. */
export async function ready(server: Server, port: number): Promise<void> {
  const until = Date.now() + patienceSeconds * 1000;
  while (Date.now() < until && server.code === undefined) {
    const answer = await fetch(`http://localhost:${port}/healthz`).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((done) => setTimeout(done, 150));
  }
  const output = readFileSync(server.log, 'utf8').trim().split('\n').slice(-30).join('\n');
  throw new Error(`The ${server.name} server did not become ready:\n${output}`);
}

/** Stops a server; returns its exit code and the seconds it took. */
export async function stopServer({ process: child, code }: Server) {
  if (code !== undefined) return { code, seconds: 0 };
  const started = Date.now();
  const ended = new Promise<number | string | null>((done) =>
    child.once('exit', (exit, signal) => done(exit ?? signal)),
  );
  child.kill('SIGTERM');
  // As from a terminal and npm: the second signal must not cut the first one short.
  setTimeout(() => child.kill('SIGTERM'), 100);
  return { code: await ended, seconds: (Date.now() - started) / 1000 };
}
