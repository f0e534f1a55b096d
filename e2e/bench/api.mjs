// npm run bench:api: how many sessions, full, durable sales and statuses a second the production server makes, beside a
// floor of node:http and pg that makes the same commits over the same PostgreSQL (baseline.mjs), and what it adds to their
// time at half of its load. Short rounds of both in turn, so that whatever else the machine does meets both.
// Docs: docs/benchmarks.md.
//   --built   measures what was built last, even if the sources have changed since
//   --short   one round
import { step } from '../../scripts/progress.mjs';
import { watchMemory } from './memory.mjs';
import { command } from './part.mjs';
import { median, printColumns, spread } from './report.mjs';
import { payRequest, saleRequest, sessionRequest, statusRequest, transStatusRequest } from './requests.mjs';
import { onStack } from './stack.mjs';
import {
  closed,
  connections,
  floorForm,
  openLoad,
  openSessions,
  openTrade,
  pay,
  poolSize,
  sell,
  times,
  visitPages,
  writesOf,
} from './trade.mjs';

/** The rates of a round: of the floor and of the server. */
const pair = (floor, app) => ({ floor: floor.perSecond, app: app.perSecond });

/** Sessions, the payment pages, and their sales. */
async function hostedRound(trade) {
  const { floor, app } = trade.ports;
  const { silent } = trade.merchants;
  const floorSessions = await openSessions(trade, floor, silent);
  const appSessions = await openSessions(trade, app, silent, 10_000);
  const pages = await visitPages(trade, app, appSessions.paths);
  const floorRequests = (place) => (path) => payRequest(floor, path.replace('/pay/', `/${place}/`), floorForm);
  const half = Math.floor(floorSessions.paths.length / 2);
  const floorSales = await pay(trade, floor, floorSessions.paths.slice(0, half).map(floorRequests('pay')));
  const appSales = await pay(trade, app, pages.requests);
  const asking = await pay(trade, floor, floorSessions.paths.slice(half).map(floorRequests('pay-asking')));
  return {
    sessions: pair(floorSessions, appSessions),
    pageSales: pair(floorSales, appSales),
    pageSalesAsking: pair(asking, appSales),
    pages: pages.perSecond,
    settled: appSales.done,
    floorPaths: floorSessions.paths,
  };
}

/** Sales of S2S CARD, and the statuses of both protocols. */
async function directRound(trade, database, floorPaths) {
  const { floor, app } = trade.ports;
  const { silent } = trade.merchants;
  const floorSales = await sell(trade, floor, silent);
  const before = await writesOf(database);
  const appSales = await sell(trade, app, silent);
  const writes = (await writesOf(database)) - before;
  const asking = await sell(trade, floor, silent, { path: '/s2s/asking' });
  const ask = (port, requests) => closed(trade, { port, requests });
  const repeated = (list, request) => times(20_000, (_, at) => request(list[at % list.length]));
  const byTransaction = (port, { sales }) =>
    ask(
      port,
      repeated(sales, ({ transId, card }) => transStatusRequest(port, silent, transId, card)),
    );
  const byPayment = (port, ids) =>
    ask(
      port,
      repeated(ids, (id) => statusRequest(port, silent, id)),
    );
  const { rows } = await database.query(
    `select id from payments where protocol = 'checkout' and state = 'settled' order by created_at desc limit 5000`,
  );
  const floorIds = floorPaths.map((path) => path.split('/').at(-1));
  const statuses = [
    await byPayment(floor, floorIds),
    await byPayment(
      app,
      rows.map(({ id }) => id),
    ),
  ];
  return {
    sales: pair(floorSales, appSales),
    salesAsking: pair(asking, appSales),
    statuses: pair(...statuses),
    transStatuses: pair(await byTransaction(floor, floorSales), await byTransaction(app, appSales)),
    writesPerSale: writes / appSales.done,
    settled: appSales.done,
    sales200: appSales.sales.slice(-200),
    floorSales200: floorSales.sales.slice(-200),
  };
}

async function round(trade, database) {
  const { floorPaths, ...hosted } = await hostedRound(trade);
  const direct = await directRound(trade, database, floorPaths);
  return { ...hosted, ...direct, settled: hosted.settled + direct.settled };
}

/**
 * Milliseconds of both sides at half of the server's own rate: each request counted from when it was due. The floor asks
 * the provider too, whose time is nobody's addition.
 */
async function halfLoad(trade, results, { seconds, rounds }) {
  const { silent } = trade.merchants;
  const { floor, app } = trade.ports;
  const last = results.at(-1);
  const kinds = {
    sales: (port) => saleRequest(port, silent, { path: port === floor ? '/s2s/asking' : undefined }),
    sessions: (port) => sessionRequest(port, silent),
    transStatuses: (port, at) => {
      const list = port === floor ? last.floorSales200 : last.sales200;
      const { transId, card } = list[at % list.length];
      return transStatusRequest(port, silent, transId, card);
    },
  };
  const found = {};
  for (const [kind, requestOf] of Object.entries(kinds)) {
    const rate = Math.floor(median(results.map((each) => each[kind].app)) / 2);
    found[kind] = [];
    for (let count = 0; count < rounds; count += 1) {
      const side = async (port) => {
        const requests = times(rate * seconds, (_, at) => requestOf(port, at));
        const { p50, p99, kinds: answers } = await openLoad(trade, { port, rate, seconds, requests });
        return { p50, p99, answers };
      };
      found[kind].push({ rate, floor: await side(floor), app: await side(app) });
    }
  }
  return found;
}

/** Sales whose callbacks are delivered meanwhile to one address, and how long the last of them takes. */
async function deliveredRound(trade) {
  const { app } = trade.ports;
  const arrivedNow = async () => (await trade.counts()).callbacks;
  const before = await arrivedNow();
  const started = performance.now();
  const { done: settled, perSecond } = await sell(trade, app, trade.merchants.told);
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

/** Every answered sale has to be in the database, whole: a figure for anything less would be worth nothing. */
async function verify(database, least) {
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
  pageSalesAsking: '  against a floor that asks the provider too',
  sales: 'Sales of S2S CARD',
  salesAsking: '  against a floor that asks the provider too',
  statuses: 'Statuses of Checkout',
  transStatuses: 'Statuses of S2S CARD',
};

const ratiosOf = (results, kind) => results.map((each) => each[kind].app / each[kind].floor);

function printRounds(results) {
  const row = (kind) => [
    kindsShown[kind],
    spread(results.map((each) => each[kind].floor)),
    spread(results.map((each) => each[kind].app)),
    spread(ratiosOf(results, kind), 2),
  ];
  console.log('\nPer second, median (least..most) of the rounds:\n');
  printColumns([
    ['', 'Floor', 'Florin', 'Ratio'],
    ...Object.keys(kindsShown).map(row),
    ['Payment pages', '', spread(results.map((each) => each.pages)), ''],
  ]);
}

function printLatencies(found) {
  const column = (list, side, part) =>
    spread(
      list.map((each) => each[side][part]),
      1,
    );
  console.log('\nMilliseconds at half of that, from when each request was due:\n');
  printColumns([
    ['', 'A second', 'Floor p50', 'Florin p50', 'Floor p99', 'Florin p99'],
    ...Object.entries(found).map(([kind, list]) => [
      kindsShown[kind],
      String(list[0].rate),
      column(list, 'floor', 'p50'),
      column(list, 'app', 'p50'),
      column(list, 'floor', 'p99'),
      column(list, 'app', 'p99'),
    ]),
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
    ['Not delivered within 30 s', String(missing)],
  ]);
}

function figuresOf({ results, latencies, memory, delivered }) {
  const ratio = (name, kind, least) => ({ name, value: median(ratiosOf(results, kind)), unit: '', decimals: 2, least });
  const added = (kind) => median(latencies[kind].map(({ app, floor }) => app.p99 - floor.p99));
  const addition = (name, kind) => ({ name, value: added(kind), unit: 'ms', decimals: 1, most: 15 });
  return [
    ratio('Sale by S2S CARD, of the floor', 'sales', 0.4),
    ratio('Sale by S2S CARD, of a floor that asks the provider', 'salesAsking'),
    ratio('Sale by the payment page, of the floor', 'pageSales', 0.4),
    ratio('Sale by the payment page, of a floor that asks the provider', 'pageSalesAsking'),
    ratio('Session, of the floor', 'sessions', 0.4),
    ratio('Status of Checkout, of the floor', 'statuses', 0.45),
    ratio('Status of S2S CARD, of the floor', 'transStatuses', 0.45),
    addition('Added to the p99 of a sale at half load', 'sales'),
    addition('Added to the p99 of a session at half load', 'sessions'),
    addition('Added to the p99 of a status at half load', 'transStatuses'),
    { name: 'Memory under load', value: Math.max(...memory), unit: 'MB', most: 400 },
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

async function measure(stack, { short }) {
  const rounds = short ? 1 : 5;
  const trade = await step('Starting the servers', () =>
    openTrade(stack, { merchants: { silent: {}, told: { told: true } }, floor: true }),
  );
  const warm = await step('Warming up', () => round(trade, stack.database));
  // As autovacuum has it soon: plans of the first seconds are those of empty tables.
  await stack.database.query('analyze');
  const watched = watchMemory(trade.server.pid);
  const results = [];
  for (let count = 1; count <= rounds; count += 1) {
    results.push(await step(`Round ${count} of ${rounds}`, () => round(trade, stack.database)));
  }
  const delivered = [];
  for (let count = 1; count <= (short ? 1 : 2); count += 1) {
    delivered.push(await step(`Delivered callbacks, round ${count}`, () => deliveredRound(trade)));
  }
  const settled = [warm, ...results, ...delivered].reduce((sum, each) => sum + each.settled, 0);
  await verify(stack.database, settled);
  const latencies = await step('At half load', () =>
    halfLoad(trade, results, { seconds: short ? 3 : 6, rounds: short ? 1 : 3 }),
  );
  const memory = watched.stop();
  printRounds(results);
  printLatencies(latencies);
  printDelivered(delivered);
  console.log(`\n${settled} sales were answered as paid; the database held every one with its callback.`);
  const plain = results.map(({ sales200: _, floorSales200: __, ...each }) => each);
  const raw = { connections, poolSize, rounds: plain, latencies, delivered, memoryMb: memory };
  return { figures: figuresOf({ results, latencies, memory, delivered }), raw };
}

export const part = {
  name: 'api',
  title: 'The API beside its floor',
  run: (options) => onStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
