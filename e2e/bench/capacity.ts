// npm run bench -- capacity: what a deployment for ten thousand sales a second needs, computed from the costs of a sale, and by
// simulation what the collected steps of one cluster do at that load. Nothing is measured here.
// Docs: docs/operations/large-deployments.md, which has the output.
import { pathToFileURL } from 'node:url';
import { tableOf } from '../../lib/docs/markdown-table.ts';
import { type Draw, oneOf, random } from '../chaos/seeded-random.ts';
import { percentile } from './report.ts';

/** The costs of a sale of S2S CARD with one callback; docs/operations/large-deployments.md has their origin. */
export const costs = {
  servingMs: 1.1,
  workerMs: 0.55,
  databaseMs: 1.55,
  rowsInserted: 5.9,
  rowsUpdated: 5.1,
  walBytes: 15_600,
  /** With indexes, without the request log. */
  storedBytes: 5_500,
  requestLogBytes: 1_300,
  networkBytes: 13_000,
};

/** What is chosen: the load, and how much of a core may be used at the peak. */
export const choices = {
  salesPerSecond: 10_000,
  /** A day has as many sales as this number of hours at the peak. */
  peakHoursPerDay: 6,
  usedMost: 0.6,
  clusters: 4,
  coresPerCluster: 8,
  requestLogDays: 14,
  onlineDays: 90,
  standbys: 2,
  providerSeconds: 0.5,
};

/** The parts of the deployment and what they carry, each with its unit. */
export function plan({ salesPerSecond, ...chosen } = choices, cost = costs) {
  const processes = (milliseconds: number) => Math.ceil((salesPerSecond * milliseconds) / 1000 / chosen.usedMost);
  const salesPerDay = salesPerSecond * chosen.peakHoursPerDay * 3600;
  const terabytes = (bytes: number) => (salesPerDay * bytes) / 1e12;
  const online = terabytes(cost.storedBytes) * chosen.onlineDays;
  const requestLog = terabytes(cost.requestLogBytes) * chosen.requestLogDays;
  const serving = processes(cost.servingMs);
  return {
    serving,
    workers: processes(cost.workerMs),
    databaseCores: (salesPerSecond * cost.databaseMs) / 1000,
    databaseUse: (salesPerSecond * cost.databaseMs) / 1000 / (chosen.clusters * chosen.coresPerCluster),
    rowsPerSecond: salesPerSecond * (cost.rowsInserted + cost.rowsUpdated),
    walMegabytesPerSecond: (salesPerSecond * cost.walBytes) / 1e6,
    walTerabytesPerDay: terabytes(cost.walBytes),
    salesPerDay,
    tableTerabytesPerDay: terabytes(cost.storedBytes + cost.requestLogBytes),
    onlineTerabytes: online + requestLog,
    replicationGigabits: (salesPerSecond * cost.walBytes * 8 * chosen.standbys) / 1e9,
    processGigabits: (salesPerSecond * cost.networkBytes * 8) / 1e9,
    salesInProgress: salesPerSecond * chosen.providerSeconds,
  };
}

const number = (value: number, decimals = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: decimals, maximumFractionDigits: decimals });

/** The plan as a table: all clusters together, and one of them. */
export function planTable(chosen = choices): string {
  const found = plan(chosen);
  const each = (value: number, unit: string, decimals = 0) => [
    `${number(value, decimals)} ${unit}`,
    `${number(value / chosen.clusters, decimals)} ${unit}`,
  ];
  return tableOf(
    ['', 'All', 'One cluster'],
    [
      ['Sales at the peak', ...each(chosen.salesPerSecond, '/s')],
      ['Sales in a day', ...each(found.salesPerDay / 1e6, 'million')],
      ['Serving processes', number(found.serving), number(Math.ceil(found.serving / chosen.clusters))],
      ['Workers', number(found.workers), number(Math.ceil(found.workers / chosen.clusters))],
      ['Sales in progress at the provider', ...each(found.salesInProgress, '')],
      ['Callbacks', ...each(chosen.salesPerSecond, '/s')],
      ['Processor of PostgreSQL', ...each(found.databaseCores, 'cores', 1)],
      ['of the cores of the primaries', `${number(found.databaseUse * 100)} %`, `${number(found.databaseUse * 100)} %`],
      ['Rows written', ...each(found.rowsPerSecond, '/s')],
      ['WAL', ...each(found.walMegabytesPerSecond, 'MB/s')],
      ['WAL in a day', ...each(found.walTerabytesPerDay, 'TB', 1)],
      ['Tables and indexes in a day', ...each(found.tableTerabytesPerDay, 'TB', 2)],
      [`Disk for ${chosen.onlineDays} days`, ...each(found.onlineTerabytes, 'TB')],
      [`WAL to ${chosen.standbys} standbys`, ...each(found.replicationGigabits, 'Gbit/s', 1)],
      ['Traffic of the processes', ...each(found.processGigabits, 'Gbit/s', 1)],
    ].map((row) => row.map((text) => text.trim())),
  );
}

// Milliseconds of a set of a step at PostgreSQL (ADR 0124): 0.98 for one row, 1.04 for two, 1.44 for eight, 4.16 for 32.
const setMs = 0.88;
const rowMs = 0.1;
/** The wait of a commit for the standby. */
const standbyMs = 1;
const setsUnderWay = 4;
const setRows = 64;
const tickMs = 0.1;

/** A cluster with its processes; `rows` is the largest set, and `underWay` the most sets of a step of a process at a time. */
export type Cluster = {
  salesPerSecond: number;
  serving: number;
  workers: number;
  cores: number;
  rows?: number;
  underWay?: number;
};

/**
 * Used part of the cores, mean rows of a set, commits a second, milliseconds that the two commits of a sale add to its
 * response, and whether the cluster keeps up with the sales.
 */
export type Simulated = { used: number; rows: number; commits: number; p50: number; p99: number; keepsUp: boolean };

type After = (milliseconds: number, run: () => void) => void;

/** The cores of PostgreSQL: `execute` runs `done` after a set of so many rows and its commit; `total` adds them up. */
function coresOf(cores: number, after: After, draw: Draw) {
  const queue: { rows: number; done: () => void }[] = [];
  const total = { busyMs: 0, sets: 0, rows: 0 };
  let running = 0;
  const startSets = () => {
    while (running < cores) {
      const set = queue.shift();
      if (set === undefined) return;
      // Half to one and a half of the mean.
      const milliseconds = (setMs + rowMs * set.rows) * (0.5 + draw());
      running += 1;
      total.busyMs += milliseconds;
      total.sets += 1;
      total.rows += set.rows;
      after(milliseconds, () => {
        running -= 1;
        after(standbyMs, set.done);
        startSets();
      });
    }
  };
  const execute = (rows: number, done: () => void) => {
    queue.push({ rows, done });
    startSets();
  };
  return { total, execute };
}

/** Simulates a cluster under sales at random times: each has two steps before its response and three afterwards. */
export function simulate(cluster: Cluster, seconds = 4, seed = 1): Simulated {
  const { salesPerSecond, cores, rows: rowsMost = setRows, underWay: setsMost = setsUnderWay } = cluster;
  const draw = random(seed);
  const agenda: (() => void)[][] = [];
  let tick = 0;
  const after: After = (milliseconds, run) => {
    const at = tick + Math.max(1, Math.round(milliseconds / tickMs));
    agenda[at] ??= [];
    agenda[at].push(run);
  };
  const { total, execute } = coresOf(cores, after, draw);
  /** A collected step of a process: takes what is called at its end. */
  const step = () => {
    const waiting: (() => void)[] = [];
    let underWay = 0;
    const send = () => {
      while (underWay < setsMost && waiting.length > 0) {
        const items = waiting.splice(0, rowsMost);
        underWay += 1;
        execute(items.length, () => {
          underWay -= 1;
          for (const item of items) item();
          send();
        });
      }
    };
    return (item: () => void) => {
      waiting.push(item);
      after(tickMs, send);
    };
  };
  const processes = (count: number) =>
    Array.from({ length: count }, () => ({ first: step(), second: step(), log: step() }));
  const [serving, workers] = [processes(cluster.serving), processes(cluster.workers)];
  const latencies: number[] = [];
  const sell = () => {
    const [process, worker] = [oneOf(draw, serving), oneOf(draw, workers)];
    const began = tick;
    // The provider's time delays no other sale, and is left out.
    process.first(() =>
      process.second(() => {
        latencies.push((tick - began) * tickMs);
        process.log(() => {});
        worker.first(() => worker.second(() => {}));
      }),
    );
  };
  const chance = Math.exp((-salesPerSecond * tickMs) / 1000);
  for (; tick < (seconds * 1000) / tickMs; tick += 1) {
    // The number of arrivals of a Poisson process.
    for (let left = draw(); left > chance; left *= draw()) sell();
    for (const run of agenda[tick] ?? []) run();
    delete agenda[tick];
  }
  const answered = latencies.length / (salesPerSecond * seconds);
  latencies.sort((one, other) => one - other);
  return {
    used: total.busyMs / (cores * seconds * 1000),
    rows: total.rows / total.sets,
    commits: total.sets / seconds,
    p50: percentile(latencies, 0.5) ?? Number.POSITIVE_INFINITY,
    p99: percentile(latencies, 0.99) ?? Number.POSITIVE_INFINITY,
    keepsUp: answered > 0.9,
  };
}

/** What the page shows: other loads, other numbers of processes, one machine for all, and single rows. */
const clusters: Cluster[] = [
  { salesPerSecond: 250, serving: 5, workers: 3, cores: 8 },
  { salesPerSecond: 2_500, serving: 5, workers: 3, cores: 8 },
  { salesPerSecond: 5_000, serving: 10, workers: 6, cores: 8 },
  { salesPerSecond: 10_000, serving: 19, workers: 10, cores: 8 },
  { salesPerSecond: 10_000, serving: 19, workers: 10, cores: 32 },
  { salesPerSecond: 2_500, serving: 20, workers: 12, cores: 8 },
  { salesPerSecond: 2_500, serving: 80, workers: 48, cores: 8 },
  { salesPerSecond: 2_500, serving: 5, workers: 3, cores: 8, underWay: 1 },
  { salesPerSecond: 1_250, serving: 5, workers: 3, cores: 8, rows: 1 },
  { salesPerSecond: 2_500, serving: 5, workers: 3, cores: 8, rows: 1 },
];

/** The simulations as a table. */
export function simulationTable(): string {
  const rows = clusters.map((cluster) => {
    const found = simulate(cluster);
    return [
      number(cluster.salesPerSecond),
      `${cluster.serving} and ${cluster.workers}`,
      number(cluster.cores),
      `${cluster.underWay ?? setsUnderWay} of ${cluster.rows ?? setRows}`,
      number(found.rows, 1),
      number(found.commits),
      `${number(found.used * 100)} %`,
      ...(found.keepsUp ? [`${number(found.p50)} ms`, `${number(found.p99)} ms`] : ['grows', 'grows']),
    ];
  });
  return tableOf(
    ['Sales /s', 'Processes', 'Cores', 'Sets at most', 'Mean set', 'Commits /s', 'Cores used', 'p50', 'p99'],
    rows,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  console.log(`${planTable()}\n\n${simulationTable()}`);
