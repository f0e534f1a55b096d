// npm run bench -- api: sessions, full durable sales and status requests a second of the production server, compared with
// a baseline of node:http and pg that makes the same commits over the same PostgreSQL (baseline.ts), and the latency
// it adds at half of its peak load. Short rounds of both alternate, so that other load on the machine affects both.
// Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   one round
import type { ClientBase } from 'pg';
import { step } from '../../scripts/project.ts';
import { command, type Figure, type Options, type Part } from './benchmark-part.ts';
import type { ClosedResult, OpenResult } from './load.ts';
import { watchMemory } from './memory.ts';
import { parentOf, processorSeconds } from './processor-time.ts';
import { median, printColumns, spread } from './report.ts';
import { payRequest, saleRequest, sessionRequest, statusRequest, transStatusRequest } from './requests.ts';
import { type Stack, withStack } from './stack.ts';
import {
  type Workload as Base,
  baselineForm,
  closed,
  connections,
  openLoad,
  openSessions,
  pay,
  poolSize,
  sell,
  startWorkload,
  times,
  visitPages,
  writesOf,
} from './workload.ts';

type Workload = Base<'silent' | 'withCallbacks'>;
type Pair = { baseline: number; app: number };
type Round = Awaited<ReturnType<typeof round>>;
type Delivered = Awaited<ReturnType<typeof deliveredRound>>;
type Sold = Awaited<ReturnType<typeof sell>>;
type Kind = keyof typeof kindsShown;

/** The latencies of a side. */
type Side = Pick<OpenResult, 'p50' | 'p99'> & { answers: OpenResult['kinds'] };
type Loaded = { rate: number; baseline: Side; app: Side };
type Latencies = Record<LoadedKind, Loaded[]>;
type LoadedKind = 'sales' | 'sessions' | 'transStatuses';

/** The rates of a round: baseline and server. */
const pair = (baseline: ClosedResult, app: ClosedResult): Pair => ({
  baseline: baseline.perSecond,
  app: app.perSecond,
});

/** Sessions, payment pages and their sales. */
async function hostedRound(workload: Workload) {
  const { baseline, app } = workload.ports;
  const { silent } = workload.merchants;
  const baselineSessions = await openSessions(workload, baseline, silent);
  const appSessions = await openSessions(workload, app, silent, 10_000);
  const pages = await visitPages(workload, app, appSessions.paths);
  const baselineRequests = (place: string) => (path: string) =>
    payRequest(baseline, path.replace('/pay/', `/${place}/`), baselineForm);
  const half = Math.floor(baselineSessions.paths.length / 2);
  const baselineSales = await pay(
    workload,
    baseline,
    baselineSessions.paths.slice(0, half).map(baselineRequests('pay')),
  );
  const appSales = await pay(workload, app, pages.requests);
  const asking = await pay(workload, baseline, baselineSessions.paths.slice(half).map(baselineRequests('pay-asking')));
  return {
    sessions: pair(baselineSessions, appSessions),
    pageSales: pair(baselineSales, appSales),
    pageSalesAsking: pair(asking, appSales),
    pages: pages.perSecond,
    settled: appSales.done,
    baselinePaths: baselineSessions.paths,
  };
}

/** What the server and PostgreSQL have done so far: writing transactions, and seconds of the processor. */
async function costsOf({ server }: Workload, database: ClientBase) {
  const { rows } = await database.query('select pg_backend_pid() as pid');
  return {
    writes: await writesOf(database),
    server: processorSeconds(server.pid ?? 0),
    database: processorSeconds(parentOf(rows[0].pid) ?? 0),
  };
}

const millisecondsOf = (before: number | null, after: number | null, count: number) =>
  before === null || after === null ? null : ((after - before) * 1000) / count;

/** S2S CARD sales, and status requests of both protocols. */
async function directRound(workload: Workload, database: ClientBase, baselinePaths: string[]) {
  const { baseline, app } = workload.ports;
  const { silent } = workload.merchants;
  const baselineSales = await sell(workload, baseline, silent);
  const before = await costsOf(workload, database);
  const appSales = await sell(workload, app, silent);
  const after = await costsOf(workload, database);
  const asking = await sell(workload, baseline, silent, { path: '/s2s/asking' });
  const measure = (port: number, requests: string[]) => closed(workload, { port, requests });
  const repeated = <T>(list: T[], request: (each: T) => string) =>
    times(20_000, (_, at) => request(list[at % list.length] as T));
  const byTransaction = (port: number, { sales }: Sold) =>
    measure(
      port,
      repeated(sales, ({ transId, card }) => transStatusRequest(port, silent, transId, card)),
    );
  const byPayment = (port: number, ids: string[]) =>
    measure(
      port,
      repeated(ids, (id) => statusRequest(port, silent, id)),
    );
  const { rows } = await database.query(
    `select id from payments where protocol = 'checkout' and state = 'settled' order by created_at desc limit 5000`,
  );
  const baselineIds = baselinePaths.map((path) => path.split('/').at(-1) ?? '');
  const statuses = [
    await byPayment(baseline, baselineIds),
    await byPayment(
      app,
      rows.map(({ id }) => id),
    ),
  ] as const;
  return {
    sales: pair(baselineSales, appSales),
    salesAsking: pair(asking, appSales),
    statuses: pair(...statuses),
    transStatuses: pair(await byTransaction(baseline, baselineSales), await byTransaction(app, appSales)),
    writesPerSale: (after.writes - before.writes) / appSales.done,
    serverMilliseconds: millisecondsOf(before.server, after.server, appSales.done),
    databaseMilliseconds: millisecondsOf(before.database, after.database, appSales.done),
    settled: appSales.done,
    sales200: appSales.sales.slice(-200),
    baselineSales200: baselineSales.sales.slice(-200),
  };
}

async function round(workload: Workload, database: ClientBase) {
  const { baselinePaths, ...hosted } = await hostedRound(workload);
  const direct = await directRound(workload, database, baselinePaths);
  return { ...hosted, ...direct, settled: hosted.settled + direct.settled };
}

/**
 * Latencies of both sides at half of the server's peak, each measured from the scheduled send time. The baseline calls
 * the provider too, so that the provider's time does not count as added.
 */
async function halfLoad(
  workload: Workload,
  results: Round[],
  { seconds, rounds }: { seconds: number; rounds: number },
): Promise<Latencies> {
  const { silent } = workload.merchants;
  const { baseline, app } = workload.ports;
  const last = results.at(-1);
  const kinds: Record<LoadedKind, (port: number, at: number) => string> = {
    sales: (port) => saleRequest(port, silent, { path: port === baseline ? '/s2s/asking' : undefined }),
    sessions: (port) => sessionRequest(port, silent),
    transStatuses: (port, at) => {
      const list = (port === baseline ? last?.baselineSales200 : last?.sales200) ?? [];
      const sale = list[at % list.length];
      return transStatusRequest(port, silent, sale?.transId ?? '', sale?.card ?? '');
    },
  };
  const found: Latencies = { sales: [], sessions: [], transStatuses: [] };
  for (const [kind, requestOf] of Object.entries(kinds) as [LoadedKind, (port: number, at: number) => string][]) {
    const rate = Math.floor(median(results.map((each) => each[kind].app)) / 2);
    for (let count = 0; count < rounds; count += 1) {
      const side = async (port: number): Promise<Side> => {
        const requests = times(rate * seconds, (_, at) => requestOf(port, at));
        const { p50, p99, kinds: answers } = await openLoad(workload, { port, rate, seconds, requests });
        return { p50, p99, answers };
      };
      found[kind].push({ rate, baseline: await side(baseline), app: await side(app) });
    }
  }
  return found;
}

/** Sales whose callbacks go to one address, and the time until the last callback arrives. */
async function deliveredRound(workload: Workload) {
  const { app } = workload.ports;
  const arrivedNow = async () => (await workload.counts()).callbacks;
  const before = await arrivedNow();
  const started = performance.now();
  const { done: settled, perSecond } = await sell(workload, app, workload.merchants.withCallbacks);
  const during = (await arrivedNow()) - before;
  const giveUp = performance.now() + 30_000;
  let arrived = during;
  while (arrived < settled && performance.now() < giveUp) {
    await new Promise((done) => setTimeout(done, 50));
    arrived = (await arrivedNow()) - before;
  }
  const seconds = (performance.now() - started) / 1000;
  return { sales: perSecond, settled, during, arrived, arrivedPerSecond: arrived / seconds };
}

/** Checks that every acknowledged sale is completely in the database. */
async function verify(database: ClientBase, least: number) {
  const { rows } = await database.query(
    `select count(*) filter (where p.state = 'settled' and t.status = 'success')::int as settled,
            count(c.id)::int as callbacks, count(*)::int as tried
       from payments p join transactions t on t.payment_id = p.id left join callbacks c on c.transaction_id = t.id`,
  );
  const [found] = rows;
  if (found.settled !== least || found.callbacks !== least || found.tried !== least) {
    throw new Error(`${least} sales were answered as paid, but the database holds ${JSON.stringify(found)}.`);
  }
}

const kindsShown = {
  sessions: 'Sessions',
  pageSales: 'Sales of the payment page',
  pageSalesAsking: '  against a baseline that calls the provider too',
  sales: 'Sales of S2S CARD',
  salesAsking: '  against a baseline that calls the provider too',
  statuses: 'Statuses of Checkout',
  transStatuses: 'Statuses of S2S CARD',
};

/** Null if one is. */
const medianOf = (values: (number | null)[]) =>
  values.includes(null) ? null : median(values.filter((value) => value !== null));

const ratiosOf = (results: Round[], kind: Kind) => results.map((each) => each[kind].app / each[kind].baseline);

function printRounds(results: Round[]) {
  const row = (kind: Kind) => [
    kindsShown[kind],
    spread(results.map((each) => each[kind].baseline)),
    spread(results.map((each) => each[kind].app)),
    spread(ratiosOf(results, kind), 2),
  ];
  console.log('\nPer second, median (least..most) of the rounds:\n');
  printColumns([
    ['', 'Baseline', 'Florin', 'Ratio'],
    ...(Object.keys(kindsShown) as Kind[]).map(row),
    ['Payment pages', '', spread(results.map((each) => each.pages)), ''],
  ]);
}

function printLatencies(found: Latencies) {
  const column = (list: Loaded[], side: 'baseline' | 'app', part: 'p50' | 'p99') =>
    spread(
      list.map((each) => each[side][part] ?? Number.NaN),
      1,
    );
  console.log('\nMilliseconds at half of that, from when each request was due:\n');
  printColumns([
    ['', 'A second', 'Baseline p50', 'Florin p50', 'Baseline p99', 'Florin p99'],
    ...(Object.entries(found) as [LoadedKind, Loaded[]][]).map(([kind, list]) => [
      kindsShown[kind],
      String(list[0]?.rate),
      column(list, 'baseline', 'p50'),
      column(list, 'app', 'p50'),
      column(list, 'baseline', 'p99'),
      column(list, 'app', 'p99'),
    ]),
  ]);
}

function printDelivered(results: Delivered[]) {
  const last = results.at(-1);
  const missing = results.reduce((sum, each) => sum + each.settled - each.arrived, 0);
  console.log('\nSales with callbacks delivered to one address meanwhile:\n');
  printColumns([
    ['Sales per second', spread(results.map((each) => each.sales))],
    ['Callbacks per second, until the last', spread(results.map((each) => each.arrivedPerSecond))],
    ['Delivered by the end of the sales', `${last?.during} of ${last?.settled}`],
    ['Not delivered within 30 s', String(missing)],
  ]);
}

function figuresOf({
  results,
  latencies,
  memory,
  delivered,
}: {
  results: Round[];
  latencies: Latencies;
  memory: number[];
  delivered: Delivered[];
}): Figure[] {
  const ratio = (name: string, kind: Kind, least?: number) => ({
    name,
    value: median(ratiosOf(results, kind)),
    unit: '',
    decimals: 2,
    least,
  });
  const cost = (name: string, kind: 'serverMilliseconds' | 'databaseMilliseconds', most: number) => ({
    name,
    value: medianOf(results.map((each) => each[kind])),
    unit: 'ms',
    decimals: 2,
    most,
  });
  const added = (kind: LoadedKind) =>
    median(latencies[kind].map(({ app, baseline }) => (app.p99 ?? Number.NaN) - (baseline.p99 ?? Number.NaN)));
  const addition = (name: string, kind: LoadedKind) => ({
    name,
    value: added(kind),
    unit: 'ms',
    decimals: 1,
    most: 15,
  });
  return [
    ratio('Sale by S2S CARD, of a baseline that calls the provider', 'salesAsking', 1),
    ratio('Sale by S2S CARD, of the baseline', 'sales'),
    cost('Processor time of the server for a sale', 'serverMilliseconds', 0.75),
    cost('Processor time of PostgreSQL for a sale', 'databaseMilliseconds', 0.45),
    ratio('Sale by the payment page, of a baseline that calls the provider', 'pageSalesAsking'),
    ratio('Sale by the payment page, of the baseline', 'pageSales'),
    ratio('Session, of the baseline', 'sessions', 0.9),
    ratio('Status of Checkout, of the baseline', 'statuses', 0.6),
    ratio('Status of S2S CARD, of the baseline', 'transStatuses', 0.6),
    addition('Added to the p99 of a sale at half load', 'sales'),
    addition('Added to the p99 of a session at half load', 'sessions'),
    addition('Added to the p99 of a status at half load', 'transStatuses'),
    { name: 'Memory under load', value: Math.max(...memory), unit: 'MB', most: 350 },
    {
      name: 'Writing transactions of a sale',
      value: median(results.map((each) => each.writesPerSale)),
      unit: '',
      decimals: 1,
      most: 2.1,
    },
    {
      name: 'Sales with callbacks to one address',
      value: median(delivered.map((each) => each.sales)),
      unit: 'a second',
    },
  ];
}

async function measure(stack: Stack, { short }: Options) {
  const rounds = short ? 1 : 5;
  const workload = await step('Starting the servers', () =>
    startWorkload(stack, { merchants: { silent: {}, withCallbacks: { callbacks: true } }, baseline: true }),
  );
  const warm = await step('Warming up', () => round(workload, stack.database));
  // As autovacuum does soon: the first plans assume empty tables.
  await stack.database.query('analyze');
  const watched = watchMemory(workload.server.pid ?? 0);
  const results: Round[] = [];
  for (let count = 1; count <= rounds; count += 1) {
    results.push(await step(`Round ${count} of ${rounds}`, () => round(workload, stack.database)));
  }
  const delivered: Delivered[] = [];
  for (let count = 1; count <= (short ? 1 : 2); count += 1) {
    delivered.push(await step(`Delivered callbacks, round ${count}`, () => deliveredRound(workload)));
  }
  const settled = [warm, ...results, ...delivered].reduce((sum, each) => sum + each.settled, 0);
  await verify(stack.database, settled);
  const latencies = await step('At half load', () =>
    halfLoad(workload, results, { seconds: short ? 3 : 6, rounds: short ? 1 : 3 }),
  );
  const memory = watched.stop();
  printRounds(results);
  printLatencies(latencies);
  printDelivered(delivered);
  console.log(`\n${settled} sales were answered as paid; the database held every one with its callback.`);
  const plain = results.map(({ sales200: _, baselineSales200: __, ...each }) => each);
  const raw = { connections, poolSize, rounds: plain, latencies, delivered, memoryMb: memory };
  return { figures: figuresOf({ results, latencies, memory, delivered }), raw };
}

export const part: Part = {
  name: 'api',
  title: 'The API compared with its baseline',
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
