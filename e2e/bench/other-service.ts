// npm run bench -- other-service: sales a second of another open system, Medusa (npm, MIT), beside Florin's, over the same
// PostgreSQL and the same provider. Medusa is installed from npm into the data folder and set up in e2e/bench/medusa.
// Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   one round
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { cpSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePorts } from '../../scripts/ports.ts';
import { root, step } from '../../scripts/project.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import { median, printColumns, spread } from './report.ts';
import { medusaSaleRequest } from './requests.ts';
import { answering, benchFolder, type Stack, withStack } from './stack.ts';
import { closed, poolSize, sell, startWorkload, times, type Workload, writesOf } from './workload.ts';

const folder = join(benchFolder, 'medusa');
const cli = join(folder, 'node_modules', '@medusajs', 'cli', 'cli.js');

type Settings = Record<string, string> & { DATABASE_URL: string };

const execute = promisify(execFile);

/** Installs Medusa, and creates its tables in a database beside Florin's. */
async function install(settings: Settings) {
  cpSync(join(root, 'e2e', 'bench', 'medusa'), folder, { recursive: true });
  const inFolder = { cwd: folder, env: { ...process.env, ...settings }, maxBuffer: 2 ** 26 };
  await execute('npm', ['install', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund'], inFolder);
  await execute(process.execPath, [cli, 'db:migrate'], inFolder);
}

async function serve(port: number, settings: Settings): Promise<ChildProcess> {
  const log = join(folder, 'server.log');
  const file = openSync(log, 'w');
  const address = ['--host', '127.0.0.1', '--port', String(port)];
  const env = { ...process.env, ...settings };
  const child = spawn(process.execPath, [cli, 'start', ...address], {
    cwd: folder,
    env,
    stdio: ['ignore', file, file],
  });
  await answering(child, `http://127.0.0.1:${port}/health`, log);
  return child;
}

type Side = { perSecond: number; done: number; writes: number };
type Round = { medusa: Side; florin: Side };

async function round(workload: Workload<'shop'>, { database }: Stack, port: number): Promise<Round> {
  const counted = async (work: () => Promise<{ perSecond: number; done: number }>): Promise<Side> => {
    const before = await writesOf(database);
    const { perSecond, done } = await work();
    return { perSecond, done, writes: ((await writesOf(database)) - before) / done };
  };
  const requests = times(5_000, () => medusaSaleRequest(port));
  return {
    medusa: await counted(() => closed(workload, { port, seconds: 4, requests, pick: /"captured_at":"([^"]+)"/g })),
    florin: await counted(() => sell(workload, workload.ports.app, workload.merchants.shop, { seconds: 4 })),
  };
}

/** Checks that both have every sale that they reported. */
async function verify({ database }: Stack, settings: Settings, rounds: Round[]) {
  const other = new pg.Client({ connectionString: settings.DATABASE_URL });
  await other.connect();
  const { rows: captured } = await other.query(
    'select count(*)::int as found from payment where captured_at is not null',
  );
  await other.end();
  const { rows: settled } = await database.query(`select count(*)::int as found from payments where state = 'settled'`);
  const [medusa, florin] = [captured[0].found, settled[0].found];
  const sum = (side: keyof Round) => rounds.reduce((all, each) => all + each[side].done, 0);
  if (medusa !== sum('medusa') || florin !== sum('florin'))
    throw new Error(`Of ${sum('medusa')} and ${sum('florin')} sales ${medusa} and ${florin} are in the databases.`);
}

/** The rounds after one to warm up. */
function measure({ short }: Options): Promise<Round[]> {
  return withStack(async (stack) => {
    const workload = await startWorkload(stack, { merchants: { shop: {} } });
    const [port] = await freePorts(1);
    await stack.database.query('create database medusa');
    const settings = {
      DATABASE_URL: Object.assign(new URL(stack.databaseUrl), { pathname: '/medusa' }).href,
      PROVIDER_URL: `http://127.0.0.1:${workload.ports.provider}`,
      POOL_SIZE: String(poolSize),
      SECRET: randomUUID(),
      NODE_ENV: 'production',
      MEDUSA_DISABLE_TELEMETRY: 'true',
    };
    await step('Installing Medusa', () => install(settings));
    const medusa = await step('Starting Medusa', () => serve(port, settings));
    try {
      const rounds: Round[] = [];
      for (let count = 0; count <= (short ? 1 : 5); count += 1) rounds.push(await round(workload, stack, port));
      await verify(stack, settings, rounds);
      return rounds.slice(1);
    } finally {
      medusa.kill('SIGKILL');
    }
  });
}

function print(rounds: Round[]) {
  const column = (name: string, side: keyof Round) => [
    name,
    spread(rounds.map((each) => each[side].perSecond)),
    spread(
      rounds.map((each) => each[side].writes),
      1,
    ),
  ];
  console.log('\nSales a second, and writing transactions of PostgreSQL for each:\n');
  printColumns([['', 'Sales', 'Transactions'], column('Medusa', 'medusa'), column('Florin', 'florin')]);
}

export const part: Part = {
  name: 'other-service',
  title: 'Sales of another open system',
  isLong: true,
  async run(options) {
    const rounds = await measure(options);
    print(rounds);
    const rate = (side: keyof Round) => median(rounds.map((each) => each[side].perSecond));
    return {
      figures: [
        { name: 'sales of Medusa', value: rate('medusa'), unit: 'a second' },
        { name: 'sales of Florin beside it', value: rate('florin'), unit: 'a second' },
        {
          name: 'ratio',
          value: median(rounds.map(({ florin, medusa }) => florin.perSecond / medusa.perSecond)),
          unit: '',
          decimals: 1,
        },
      ],
      raw: { rounds },
    };
  },
};

await command(import.meta.url, part);
