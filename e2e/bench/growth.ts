// npm run bench -- growth [--payments 5000000]: the cost of sales, sessions, status requests and the dashboard's list
// for a merchant with many payments. Rounds over a small and a large database alternate, so that the ratio shows the
// effect of size and not of time. Docs: docs/contributing/benchmarks.md.
//   --payments   the largest size, beside the smaller ones (5,000,000 takes about an hour and 20 GB; the default is a
//                million)
//   --built      measures the last build, even if the sources have changed since
//   --short      stops at a hundred thousand
import { randomBytes } from 'node:crypto';
import { freePorts } from '../../scripts/ports.ts';
import { step } from '../../scripts/project.ts';
import { seedMany } from '../audit/seed-many.ts';
import { demoRemoval } from '../support/production-database.ts';
import { command, type Figure, type Options, type Part } from './benchmark-part.ts';
import { signIn } from './dashboard.ts';
import { median, percentile, printColumns, spread } from './report.ts';
import { transStatusRequest } from './requests.ts';
import { type Stack, withStack } from './stack.ts';
import { closed, openSessions, sell, startWorkload, times } from './workload.ts';

const smallest = 10_000;
const sizes = [100_000, 1_000_000];
/** The merchant with most of the payments (seed-many.mjs). */
const biggest = 'seed-0';

/** A database with this many payments, the server of its largest merchant, and a sandbox server for its lists. */
type Sized = Awaited<ReturnType<typeof openSized>>;
type Round = Awaited<ReturnType<typeof round>>;
type Kind = keyof typeof shown;
type Results = { small: Round; sized: Round }[];

async function openSized(stack: Stack, payments: number) {
  const [listPort] = await freePorts(1);
  const password = randomBytes(12).toString('base64url');
  const sandbox = { APP_ENV: 'sandbox', JOBS: 'off', DEMO_PASSWORD: password };
  await stack.seed('prisma/seed.ts', listPort, sandbox);
  const env = stack.settingsOf(listPort, sandbox);
  const started = performance.now();
  await step(`Writing ${payments.toLocaleString('en')} payments`, () =>
    seedMany({ databaseUrl: stack.databaseUrl, payments, env }),
  );
  const seedSeconds = (performance.now() - started) / 1000;
  const merchants = { shop: { key: biggest, adopted: true, operations: ['purchase'] } };
  // A production server does not start beside the demo users, one of whom reads the lists.
  await stack.database.query(demoRemoval());
  const workload = await step('Starting the servers', () => startWorkload(stack, { merchants }));
  await stack.database.query('update users set disabled_at = null');
  await stack.serve(listPort, sandbox);
  const url = `http://127.0.0.1:${listPort}`;
  const { rows } = await stack.database.query('select pg_database_size(current_database()) as bytes');
  return { workload, url, cookie: await signIn(url, password), seedSeconds, gigabytes: Number(rows[0].bytes) / 1e9 };
}

/** One round of one size: sessions, sales and status requests a second, and the milliseconds of the list. */
async function round({ workload, url, cookie }: Sized) {
  const { app: port } = workload.ports;
  const { shop } = workload.merchants;
  const sessions = await openSessions(workload, port, shop, 10_000);
  const sold = await sell(workload, port, shop);
  const requests = times(20_000, (_, at) => {
    const sale = sold.sales[at % sold.sales.length];
    return transStatusRequest(port, shop, sale?.transId ?? '', sale?.card ?? '');
  });
  const statuses = await closed(workload, { port, requests });
  const durations: number[] = [];
  for (let asked = 0; asked < 20; asked += 1) {
    const started = performance.now();
    const answer = await fetch(`${url}/dashboard/api/payments`, { headers: { cookie } });
    if (answer.status !== 200) throw new Error(`The list was answered ${answer.status}.`);
    await answer.text();
    durations.push(performance.now() - started);
  }
  durations.sort((one, other) => one - other);
  return {
    sessions: sessions.perSecond,
    sales: sold.perSecond,
    statuses: statuses.perSecond,
    list: percentile(durations, 0.5) ?? Number.NaN,
  };
}

const shown = {
  sales: 'Sales a second',
  sessions: 'Sessions a second',
  statuses: 'Statuses a second',
  list: 'List, p50 in ms',
};

/** Alternating rounds of the small size and another. */
async function compare(small: Sized, sized: Sized, rounds: number): Promise<Results> {
  await round(small);
  await round(sized);
  const results: Results = [];
  for (let count = 1; count <= rounds; count += 1) {
    results.push(
      await step(`Round ${count} of ${rounds}`, async () => ({ small: await round(small), sized: await round(sized) })),
    );
  }
  return results;
}

/** The figure relative to the small size's; inverted for times. */
function keptOf(results: Results, kind: Kind) {
  return results.map(({ small, sized }) => (kind === 'list' ? small[kind] / sized[kind] : sized[kind] / small[kind]));
}

const kinds = Object.entries(shown) as [Kind, string][];

function print(
  payments: number,
  results: Results,
  { seedSeconds, gigabytes }: Pick<Sized, 'seedSeconds' | 'gigabytes'>,
) {
  const size = `${payments.toLocaleString('en')}, ${gigabytes.toFixed(1)} GB, written in ${seedSeconds.toFixed(0)} s`;
  console.log(`\n${size}:\n`);
  printColumns([
    ['', smallest.toLocaleString('en'), payments.toLocaleString('en'), 'Kept'],
    ...kinds.map(([kind, name]) => [
      name,
      spread(results.map(({ small }) => small[kind])),
      spread(results.map(({ sized }) => sized[kind])),
      spread(keptOf(results, kind), 2),
    ]),
  ]);
}

async function measure(base: Stack, { short, payments }: Options) {
  const most = Number(payments ?? (short ? 100_000 : 1_000_000));
  const small = await openSized(base, smallest);
  const figures: Figure[] = [];
  const raw: Record<number, object> = {};
  for (const size of [...sizes.filter((each) => each < most), most]) {
    await withStack(async (stack) => {
      const sized = await openSized(stack, size);
      const results = await compare(small, sized, short ? 1 : 3);
      const { seedSeconds, gigabytes } = sized;
      print(size, results, { seedSeconds, gigabytes });
      raw[size] = { seedSeconds, gigabytes, results };
      for (const [kind, name] of kinds) {
        const value = median(keptOf(results, kind));
        figures.push({
          name: `${name} at ${size.toLocaleString('en')}, of ${smallest.toLocaleString('en')}`,
          value,
          unit: '',
          decimals: 2,
        });
      }
    }, 'postgres-large');
  }
  return { figures, raw };
}

export const part: Part = {
  name: 'growth',
  title: 'More and more payments',
  run: (options) => withStack((stack) => measure(stack, options), 'postgres-small'),
};

await command(import.meta.url, part);
