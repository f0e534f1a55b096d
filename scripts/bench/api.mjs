// npm run bench:api: how many sessions and how many full, durable sales a second the production server makes, beside a
// floor of node:http and pg that makes the same commits over the same PostgreSQL (floor.mjs). Short rounds of both in
// turn, so that whatever else the machine does meets both. Docs: docs/benchmarks.md.
//   --built   measures what was built last, even if the sources have changed since
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { build } from '../build.mjs';
import { step } from '../progress.mjs';
import { machineFacts, median, printColumns, spread } from './report.mjs';
import { pageRequest, payRequest, sessionRequest } from './requests.mjs';
import { freePorts, openStack } from './stack.mjs';

const rounds = 5;
const connections = 32;
const poolSize = 16;
const roundSeconds = 2;
/** As many as a round can use up. The sessions that a round opens are paid in the same round. */
const requestsMax = { floor: 20_000, app: 10_000 };

/** Starts every process. */
async function setUp(stack) {
  const [floor, app, provider] = await freePorts(3);
  const merchant = (callbackUrl) => ({
    key: randomUUID(),
    password: randomUUID(),
    callbackUrl,
    providerUrl: `http://127.0.0.1:${provider}`,
  });
  const merchants = { silent: merchant(null), told: merchant(`http://127.0.0.1:${provider}/callback`) };
  const settings = { APP_ENV: 'production', JOBS: 'on', DATABASE_POOL_SIZE: String(poolSize) };
  await stack.seed('scripts/bench/seed.ts', app, {
    ...settings,
    BENCH_MERCHANTS: JSON.stringify(Object.values(merchants)),
  });
  await stack.start('provider.mjs', { PORT: String(provider) });
  await stack.start('floor.mjs', {
    PORT: String(floor),
    POOL_SIZE: String(poolSize),
    BASE_URL: `http://127.0.0.1:${floor}`,
    PROVIDER_URL: `http://127.0.0.1:${provider}`,
  });
  await stack.serve(app, settings);
  const client = await stack.start('load.mjs');
  return { ports: { floor, app, provider }, merchants, client };
}

/** Lets the client do one job and gives its result. */
function load(client, job) {
  return new Promise((done, fail) => {
    client.once('message', ({ result, fault }) => (fault ? fail(new Error(fault)) : done(result)));
    client.send({ connections, seconds: roundSeconds, ...job });
  });
}

const times = (count, make) => Array.from({ length: count }, make);
const linkPath = /"redirect_url":"http:\/\/[^/]+(\/pay\/[^"]+)"/g;
const hiddenFields = /<input type="hidden" name="([^"]+)" value="([^"]*)"/g;
const paid = /"next":"go","url":"[^"]*[?&](attempt=1)/g;

// As much to read as the application's form.
const floorForm = Object.entries({ attempt: '0', total: '84.50 EUR', guard: 'x'.repeat(22), lang: 'en' });

/** Opens sessions and gives the paths of their payment pages. */
async function openSessions({ client, merchants }, port, count, merchant = merchants.silent) {
  const requests = times(count, () => sessionRequest(port, merchant));
  const opened = await load(client, { port, requests, pick: linkPath });
  return { ...opened, paths: opened.picked.map(([[path]]) => path) };
}

/** Loads the pages of the application's sessions; gives the requests that pay them. */
async function visitPages({ client }, port, paths) {
  const seen = await load(client, {
    port,
    seconds: 30,
    requests: paths.map((path) => pageRequest(port, path)),
    pick: hiddenFields,
  });
  return { ...seen, requests: paths.map((path, at) => payRequest(port, path, seen.picked[at])) };
}

function pay({ client }, port, requests) {
  return load(client, { port, requests, pick: paid });
}

/** One round of everything; figures per second. */
async function round(bench) {
  const { floor, app } = bench.ports;
  const floorSessions = await openSessions(bench, floor, requestsMax.floor);
  const appSessions = await openSessions(bench, app, requestsMax.app);
  const pages = await visitPages(bench, app, appSessions.paths);
  const floorRequests = (place) => (path) => payRequest(floor, path.replace('/pay/', `/${place}/`), floorForm);
  const half = Math.floor(floorSessions.paths.length / 2);
  const floorSales = await pay(bench, floor, floorSessions.paths.slice(0, half).map(floorRequests('pay')));
  const appSales = await pay(bench, app, pages.requests);
  const asking = await pay(bench, floor, floorSessions.paths.slice(half).map(floorRequests('pay-asking')));
  return {
    sessions: { floor: floorSessions.perSecond, app: appSessions.perSecond },
    sales: { floor: floorSales.perSecond, app: appSales.perSecond },
    asking: { floor: asking.perSecond, app: appSales.perSecond },
    pages: pages.perSecond,
    settled: appSales.done,
  };
}

async function callbacksArrived({ ports }) {
  return (await (await fetch(`http://127.0.0.1:${ports.provider}/count`)).json()).callbacks;
}

/** Sales whose callbacks are delivered meanwhile, and how long the last of them takes. */
async function deliveredRound(bench) {
  const { app } = bench.ports;
  const opened = await openSessions(bench, app, requestsMax.app, bench.merchants.told);
  const pages = await visitPages(bench, app, opened.paths);
  const before = await callbacksArrived(bench);
  const started = performance.now();
  const sales = await pay(bench, app, pages.requests);
  const during = (await callbacksArrived(bench)) - before;
  const giveUp = performance.now() + 15_000;
  let arrived = during;
  while (arrived < sales.done && performance.now() < giveUp) {
    await new Promise((done) => setTimeout(done, 50));
    arrived = (await callbacksArrived(bench)) - before;
  }
  const seconds = (performance.now() - started) / 1000;
  return { sales: sales.perSecond, settled: sales.done, during, arrived, arrivedPerSecond: arrived / seconds };
}

/** Every answered sale has to be in the database, whole: a figure for anything less would be worth nothing. */
async function verify(database, settled) {
  const { rows } = await database.query(
    `select count(*) filter (where p.state = 'settled' and t.status = 'success')::int as settled,
            count(c.id)::int as callbacks, count(*)::int as tried
       from payments p join transactions t on t.payment_id = p.id left join callbacks c on c.transaction_id = t.id`,
  );
  const [found] = rows;
  if (found.settled !== settled || found.callbacks !== settled || found.tried !== settled) {
    throw new Error(`${settled} sales were answered as paid, but the database holds ${JSON.stringify(found)}.`);
  }
}

async function databaseFacts(database) {
  const shown = async (name) => (await database.query(`show ${name}`)).rows[0][name];
  const version = (await shown('server_version')).split(' ')[0];
  return [
    [
      'PostgreSQL',
      `${version}, fsync ${await shown('fsync')}, synchronous_commit ${await shown('synchronous_commit')}`,
    ],
    [
      'Settings',
      `${connections} connections, pool of ${poolSize} on both sides, ${rounds} rounds of ${roundSeconds} s`,
    ],
  ];
}

function printRounds(results) {
  const row = (name, pick) => {
    const [floor, app] = [results.map((each) => pick(each).floor), results.map((each) => pick(each).app)];
    const ratios = results.map((each) => pick(each).app / pick(each).floor);
    return [name, spread(floor), spread(app), spread(ratios, 2)];
  };
  console.log('\nPer second, median (least..most) of the rounds:\n');
  printColumns([
    ['', 'Floor', 'Florin', 'Ratio'],
    row('Sessions', (each) => each.sessions),
    row('Sales, callbacks without an address', (each) => each.sales),
    row('  against a floor that asks the provider too', (each) => each.asking),
    ['Payment pages', '', spread(results.map((each) => each.pages)), ''],
  ]);
}

function printDelivered(results) {
  const { during, settled } = results.at(-1);
  const missing = results.reduce((sum, each) => sum + each.settled - each.arrived, 0);
  console.log('\nSales with callbacks delivered to one address meanwhile:\n');
  printColumns([
    ['Sales per second', spread(results.map((each) => each.sales))],
    ['Callbacks per second, until the last', spread(results.map((each) => each.arrivedPerSecond))],
    ['Delivered by the end of the sales', `${during} of ${settled}`],
    ['Not delivered within 15 s', String(missing)],
  ]);
}

async function measure(stack, database) {
  const facts = machineFacts(await databaseFacts(database));
  const bench = await step('Starting the servers', () => setUp(stack));
  let settled = 0;
  const warm = await step('Warming up', () => round(bench));
  settled += warm.settled;
  const results = [];
  for (let count = 1; count <= rounds; count += 1) {
    results.push(await step(`Round ${count} of ${rounds}`, () => round(bench)));
    settled += results.at(-1).settled;
  }
  const delivered = [];
  for (let count = 1; count <= 2; count += 1) {
    delivered.push(await step(`Delivered callbacks, round ${count} of 2`, () => deliveredRound(bench)));
    settled += delivered.at(-1).settled;
  }
  await verify(database, settled);
  console.log('');
  printColumns(facts);
  printRounds(results);
  printDelivered(delivered);
  console.log(`\n${settled} sales were answered as paid; the database holds every one with its callback.`);
  const ratios = (kind) => median(results.map((each) => each[kind].app / each[kind].floor)).toFixed(2);
  console.log(`\nRatio to the floor: sessions ${ratios('sessions')}, sales ${ratios('sales')}`);
}

async function main() {
  console.log('Benchmark of the API');
  if (!process.argv.includes('--built')) await build();
  const stack = await step('Starting PostgreSQL', openStack);
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  const end = async () => {
    await database.end().catch(() => {});
    await stack.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => end().finally(() => process.exit(130)));
  try {
    await database.connect();
    await measure(stack, database);
  } finally {
    await end();
  }
}

await main().then(
  () => process.exit(0),
  (fault) => {
    console.error(`\n${fault.stack}`);
    process.exit(1);
  },
);
