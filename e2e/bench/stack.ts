// The processes of a benchmark: its own database on the disk of the data folder, the built production server, and
// helper processes. Everything listens on this machine only.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { removePostgres, startPostgres } from '../../scripts/postgres.ts';
import { dataFolder, errorCode, memorySettings, root, step } from '../../scripts/project.ts';

const patienceSeconds = 60;

/** The folder of running benchmarks. */
export const benchFolder = join(dataFolder, 'bench');

/** The built server: by `npm run build` or by the test run. */
const built = () => process.env.FLORIN_BUILT ?? join(root, 'dist', 'server.js');

type Settings = Record<string, string>;

/** A database and functions that start processes over it. */
export type Stack = Awaited<ReturnType<typeof startStack>>;

/** A benchmark process, and its ready message. */
// biome-ignore lint/suspicious/noExplicitAny: each process has a ready message of its own.
export type Started = ChildProcess & { said: any };

/**
 * Starts a database, calls `work` with functions that start processes over it, and finally stops everything and removes
 * the data, also after an interruption. `name` is that of the stack, if several run at a time.
 */
export async function withStack<T>(work: (stack: Stack) => Promise<T>, name = 'postgres'): Promise<T> {
  const stack = await step('Starting PostgreSQL', () => startStack(name));
  const interrupted = () => stack.stop().finally(() => process.exit(130));
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  try {
    return await work(stack);
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
    await stack.stop();
  }
}

/** Sends a message to a benchmark process and returns its result. */
// biome-ignore lint/suspicious/noExplicitAny: each message has a result of its own.
export function requestChild(child: ChildProcess, message: object | string): Promise<any> {
  return new Promise((done, fail) => {
    child.once('message', ({ result, fault }: { result?: unknown; fault?: string }) =>
      fault ? fail(new Error(fault)) : done(result),
    );
    child.send(message);
  });
}

/** Like {@link withStack}, for callers that call `stop` themselves. */
export async function startStack(name = 'postgres') {
  const folder = join(benchFolder, name);
  mkdirSync(benchFolder, { recursive: true });
  const release = claim(`${folder}.pid`);
  // Removes what an interrupted run left.
  await removePostgres(folder);
  for (const file of readdirSync(benchFolder)) {
    if (new RegExp(`^${name}-\\d+\\.log$`).test(file)) rmSync(join(benchFolder, file));
  }
  const postgres = await startPostgres({ folder });
  const children: ChildProcess[] = [];
  const databaseUrl = postgres.url;
  await migrate(databaseUrl);
  const database = new pg.Client({ connectionString: databaseUrl });
  // The server ends under the client in the end.
  database.on('error', () => {});
  await database.connect();
  const vaultKey = randomBytes(32).toString('base64');

  const settingsOf = (port: number, more?: Settings): Settings => ({
    ...settingsOn(databaseUrl, vaultKey, port),
    ...more,
  });

  /** Runs a seed. */
  async function seed(entry: string, port: number, more?: Settings) {
    const output = join(benchFolder, 'seed.mjs');
    await bundle(entry, output);
    await run(process.execPath, [output], settingsOf(port, more));
  }

  /** Starts the production server, with its log in a file. BENCH_NODE adds Node options. */
  async function serve(port: number, more?: Settings) {
    const log = join(benchFolder, `${name}-${port}.log`);
    const file = openSync(log, 'w');
    const nodeArguments = process.env.BENCH_NODE?.split(' ') ?? [];
    const child = spawn(process.execPath, [...memorySettings.arguments, ...nodeArguments, built()], {
      cwd: root,
      env: { ...process.env, ...settingsOf(port, more) },
      stdio: ['ignore', file, file],
    });
    children.push(child);
    await answering(child, `http://127.0.0.1:${port}/healthz`, log);
    return child;
  }

  /** Starts a benchmark process and waits for its ready message, which is `said`. */
  function start(file: string, env: Settings = {}): Promise<Started> {
    const child = fork(join(root, 'e2e', 'bench', file), {
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...env },
      serialization: 'advanced',
    });
    children.push(child);
    return new Promise((done, fail) => {
      child.once('message', (said) => done(Object.assign(child, { said })));
      child.once('exit', (code) => fail(new Error(`${file} ended with ${code}.`)));
    });
  }

  async function stop() {
    for (const child of children) child.kill(process.env.BENCH_NODE ? 'SIGTERM' : 'SIGKILL');
    // Node writes its profiles at exit.
    if (process.env.BENCH_NODE) await new Promise((done) => setTimeout(done, 4_000));
    await database.end().catch(() => {});
    await removePostgres(folder);
    release();
  }

  return { databaseUrl, database, settingsOf, seed, serve, start, stop };
}

// Concurrent benchmarks would remove each other's data and distort each other's figures.
function claim(file: string) {
  if (existsSync(file) && isRunning(Number(readFileSync(file, 'utf8')))) {
    throw new Error(`Another benchmark is running (${file}).`);
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function isRunning(pid: number) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function settingsOn(databaseUrl: string, vaultKey: string, port: number): Settings {
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    VAULT_KEY: vaultKey,
    ALLOW_PRIVATE_TARGETS: 'on',
    // The load comes from one address, and rate limits still count it.
    RATE_LIMITS: 'all=100000000',
    CONNECTIONS_PER_ADDRESS: '0',
    CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
    NEXT_TELEMETRY_DISABLED: '1',
    ...memorySettings.environment,
  };
}

/** Waits until a server answers at `url`; fails with the end of its log. */
export async function answering(child: ChildProcess, url: string, log: string) {
  const until = Date.now() + patienceSeconds * 1000;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((done) => setTimeout(done, 150));
  }
  throw new Error(`The server did not become ready:\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`);
}
