// @ts-nocheck
// The processes of a benchmark: its own database on the disk of the data folder, the built production server, and
// helper processes. Everything listens on this machine only.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { removePostgres, startPostgres } from '../../scripts/postgres.ts';
import { step } from '../../scripts/progress.ts';
import { dataFolder, memorySettings, root } from '../../scripts/project.ts';

const patienceSeconds = 60;

/** The folder of running benchmarks. */
export const benchFolder = join(dataFolder, 'bench');

/** The built server: by `npm run build` or by the test run. */
const built = () => process.env.FLORIN_BUILT ?? join(root, 'dist', 'server.js');

/**
 * Starts a database, calls `work` with functions that start processes over it, and finally stops everything and removes
 * the data, also after an interruption.
 * @param {(stack: object) => Promise<T>} work
 * @param {string} name of the stack, if several run at a time
 */
export async function withStack(work, name = 'postgres') {
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
export function requestChild(child, message) {
  return new Promise((done, fail) => {
    child.once('message', ({ result, fault }) => (fault ? fail(new Error(fault)) : done(result)));
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
  const children = [];
  const databaseUrl = postgres.url;
  await migrate(databaseUrl);
  const database = new pg.Client({ connectionString: databaseUrl });
  // The server ends under the client in the end.
  database.on('error', () => {});
  await database.connect();
  const vaultKey = randomBytes(32).toString('base64');

  const settingsOf = (port, more) => ({ ...settingsOn(databaseUrl, vaultKey, port), ...more });

  /** Runs a seed. */
  async function seed(entry, port, more) {
    const output = join(benchFolder, 'seed.mjs');
    await bundle(entry, output);
    await run(process.execPath, [output], settingsOf(port, more));
  }

  /** Starts the production server, with its log in a file. BENCH_NODE adds Node options. */
  async function serve(port, more) {
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
  function start(file, env = {}) {
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
function claim(file) {
  if (existsSync(file) && isRunning(Number(readFileSync(file, 'utf8')))) {
    throw new Error(`Another benchmark is running (${file}).`);
  }
  writeFileSync(file, String(process.pid));
  return () => rmSync(file, { force: true });
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function settingsOn(databaseUrl, vaultKey, port) {
  return {
    NODE_ENV: 'production',
    PORT: String(port),
    BASE_URL: `http://127.0.0.1:${port}`,
    DATABASE_URL: databaseUrl,
    VAULT_KEY: vaultKey,
    ALLOW_PRIVATE_TARGETS: 'on',
    // The load comes from one address, and rate limits still count it.
    RATE_LIMITS: 'all=100000000',
    CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
    NEXT_TELEMETRY_DISABLED: '1',
    ...memorySettings.environment,
  };
}

async function answering(child, url, log) {
  const until = Date.now() + patienceSeconds * 1000;
  while (Date.now() < until && child.exitCode === null) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
    await new Promise((done) => setTimeout(done, 150));
  }
  throw new Error(`The server did not become ready:\n${readFileSync(log, 'utf8').split('\n').slice(-20).join('\n')}`);
}
