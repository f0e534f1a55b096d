// npm run bench -- start: the time of `npm start` until /readyz reports ready: in a fresh clone with its packages only,
// and then repeatedly with a warm build. Docs: docs/contributing/benchmarks.md.
//   --short   two warm starts
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { freePorts } from '../../scripts/ports.ts';
import { removePostgres } from '../../scripts/postgres.ts';
import { root, step } from '../../scripts/project.ts';
import { command, type Options } from './benchmark-part.ts';
import { median, printColumns, spread } from './report.ts';
import { benchFolder } from './stack.ts';

const patienceSeconds = 600;

// The clone must not see this machine's deployment.
const foreign = /^(PORT|BASE_URL|DATABASE_|DIRECT_|VAULT_|APP_ENV|DEMO_|NEXT_DIST_DIR|FLORIN_|NODE_ENV|npm_)/;
const ownEnvironment = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name))) as NodeJS.ProcessEnv;

// Hard links take no space, and unlike a symbolic link the bundler resolves them inside the folder.
function clone(folder: string) {
  execFileSync('git', ['clone', '--quiet', '--local', root, folder]);
  execFileSync('cp', ['-al', join(root, 'node_modules'), join(folder, 'node_modules')]);
  for (const made of ['.cache', '.vite']) rmSync(join(folder, 'node_modules', made), { recursive: true, force: true });
}

// The last process ends with the benchmark.
let killStarted = () => {};
process.once('exit', () => killStarted());

/** Starts, waits until ready, stops; returns the seconds of the start. */
async function startOnce(folder: string, port: number): Promise<number> {
  const started = performance.now();
  const env = { ...ownEnvironment(), PORT: String(port), NEXT_TELEMETRY_DISABLED: '1' };
  let said = '';
  // Its own process group, because npm is in between.
  const child = spawn('npm', ['start'], { cwd: folder, env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said = (said + chunk).slice(-4_000);
    });
  }
  const ended = new Promise((done) => child.once('close', done));
  const kill = (signal: NodeJS.Signals) => {
    if (child.pid && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, signal);
  };
  killStarted = () => kill('SIGKILL');
  while (performance.now() - started < patienceSeconds * 1000 && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.status === 200) {
      const seconds = (performance.now() - started) / 1000;
      kill('SIGTERM');
      await ended;
      return seconds;
    }
    await new Promise((wake) => setTimeout(wake, 20));
  }
  kill('SIGKILL');
  throw new Error(`npm start did not become ready:\n${said}`);
}

async function measure({ short }: Options) {
  const folder = join(benchFolder, 'clone');
  const database = join(folder, '.data', 'postgres');
  const clear = async () => {
    if (existsSync(database)) await removePostgres(database);
    rmSync(folder, { recursive: true, force: true });
  };
  const interrupted = () => {
    killStarted();
    void clear().finally(() => process.exit(130));
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, interrupted);
  await clear();
  try {
    await step('Cloning', async () => clone(folder));
    const [port] = await freePorts(1);
    const cold = await step('The first start, which builds', () => startOnce(folder, port));
    const warm: number[] = [];
    for (let count = 0; count < (short ? 2 : 5); count += 1) {
      warm.push(await step('A start with its work done', () => startOnce(folder, port)));
    }
    console.log('');
    printColumns([
      ['The first start, packages installed', `${cold.toFixed(1)} s`],
      ['A start with its work done', `${spread(warm, 1)} s`],
    ]);
    const figures = [
      { name: 'npm start with its work done', value: median(warm), unit: 's', decimals: 1, most: 4 },
      { name: 'The first start, packages installed', value: cold, unit: 's', decimals: 1 },
    ];
    return { figures, raw: { cold, warm } };
  } finally {
    for (const signal of ['SIGINT', 'SIGTERM']) process.off(signal, interrupted);
    killStarted();
    await clear();
  }
}

export const part = { name: 'start', title: 'Starting', run: measure };

await command(import.meta.url, part);
