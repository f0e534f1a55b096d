// What the benchmarks stand on: a database of their own, made anew on the disk that the data folder is on, the built
// production server over it, and further processes beside them. Everything listens on this machine only.
import { fork, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../bundle.mjs';
import { run } from '../install.mjs';
import { migrate } from '../migrate.mjs';
import { freePort, removePostgres, startPostgres } from '../postgres.mjs';
import { dataFolder, root } from '../project.mjs';

const patienceSeconds = 60;

/** Where a benchmark keeps what it needs while it runs. */
export const benchFolder = join(dataFolder, 'bench');

/**
 * Starts a database and gives the means to start processes over it. `stop` ends all and removes the data.
 * @returns {Promise<{ databaseUrl: string, settingsOf: Function, start: Function, serve: Function, seed: Function, stop: () => Promise<void> }>}
 */
export async function openStack() {
  const folder = join(benchFolder, 'postgres');
  // What an interrupted run left behind.
  await removePostgres(folder);
  mkdirSync(benchFolder, { recursive: true });
  const postgres = await startPostgres({ folder });
  const children = [];
  const databaseUrl = postgres.url;
  await migrate(databaseUrl);
  const vaultKey = randomBytes(32).toString('base64');

  function settingsOf(port, more) {
    return {
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: databaseUrl,
      VAULT_KEY: vaultKey,
      ALLOW_PRIVATE_TARGETS: 'on',
      // The load comes from one address; it is counted all the same.
      RATE_LIMITS: 'all=100000000',
      CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
      NEXT_TELEMETRY_DISABLED: '1',
      ...more,
    };
  }

  /** Runs a seed to its end. */
  async function seed(entry, port, more) {
    const output = join(benchFolder, 'seed.mjs');
    await bundle(entry, output);
    await run(process.execPath, [output], settingsOf(port, more));
  }

  /** Starts the production server; its log goes to a file, as a deployment's would. */
  async function serve(port, more, nodeArgs = []) {
    const log = join(benchFolder, 'server.log');
    rmSync(log, { force: true });
    const file = openSync(log, 'w');
    const child = spawn(process.execPath, [...nodeArgs, join(root, 'dist', 'server.js')], {
      cwd: root,
      env: { ...process.env, ...settingsOf(port, more) },
      stdio: ['ignore', file, file],
    });
    children.push(child);
    await answering(child, `http://127.0.0.1:${port}/healthz`, log);
    return child;
  }

  /** Starts one of the benchmark's own processes and waits until it says that it is ready. */
  function start(name, env = {}) {
    const child = fork(join(root, 'scripts', 'bench', name), {
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: databaseUrl, ...env },
      serialization: 'advanced',
    });
    children.push(child);
    return new Promise((done, fail) => {
      child.once('message', () => done(child));
      child.once('exit', (code) => fail(new Error(`${name} ended with ${code}.`)));
    });
  }

  async function stop() {
    for (const child of children) child.kill('SIGKILL');
    await removePostgres(folder);
  }

  return { databaseUrl, settingsOf, seed, serve, start, stop };
}

/** Free ports of this machine, all different. */
export async function freePorts(count) {
  const ports = new Set();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
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
