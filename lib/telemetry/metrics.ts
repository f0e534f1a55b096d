// What this process counts and measures, in the words of Prometheus (docs/operations.md). Names of routes are those of the
// table, never addresses: no label has more values than somebody has written down.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

type Metrics = ReturnType<typeof makeMetrics>;

// Next bundles this module several times in one process; they count together.
const metricsKey = Symbol.for('florin.metrics');
const holder = globalThis as { [metricsKey]?: Metrics };
holder[metricsKey] ??= makeMetrics();

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'florin_' });
  return {
    registry,
    /** When each job of this process has ended a round last, in the milliseconds of performance.now(). */
    rounds: new Map<string, number>(),
    requests: new Histogram({
      name: 'florin_request_seconds',
      help: 'Answers by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    }),
    apiErrors: new Counter({
      name: 'florin_api_errors_total',
      help: 'Requests of merchants that were refused, by protocol and error code',
      labelNames: ['protocol', 'code'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'florin_rate_limited_total',
      help: 'Requests that were answered with 429, by the limit that was reached',
      labelNames: ['limit'],
      registers,
    }),
    cardTesting: new Counter({
      name: 'florin_card_testing_total',
      help: 'Attempts that were stopped as card testing, by what; merchant: defences of a merchant that have come to stand',
      labelNames: ['by'],
      registers,
    }),
    scriptMismatches: new Gauge({
      name: 'florin_script_mismatches',
      help: 'Differences between what payers are served and the inventory of scripts',
      registers,
    }),
    unresolved: new Counter({
      name: 'florin_unresolved_total',
      help: 'Differences between a provider and a payment that were opened, by kind',
      labelNames: ['kind'],
      registers,
    }),
    clockSkew: new Gauge({
      name: 'florin_clock_skew_seconds',
      help: "How far this process's clock is ahead of the database's; negative behind it",
      registers,
    }),
    provider: new Histogram({
      name: 'florin_provider_seconds',
      help: 'Calls to providers by what they were and what came of them',
      labelNames: ['connector', 'call', 'outcome'],
      buckets: seconds,
      registers,
    }),
    callbacks: new Histogram({
      name: 'florin_callback_seconds',
      help: 'Tries to deliver a callback by what came of them',
      labelNames: ['result'],
      buckets: seconds,
      registers,
    }),
    jobs: new Histogram({
      name: 'florin_job_seconds',
      help: 'Rounds of the jobs that found work',
      labelNames: ['job'],
      buckets: seconds,
      registers,
    }),
    scheduleBrakes: new Counter({
      name: 'florin_schedule_brakes_total',
      help: 'Scheduled charges that the brake stopped: early, too soon after the charge before (interval), or after its attempt (spacing)',
      labelNames: ['reason'],
      registers,
    }),
    rows: new Gauge({
      name: 'florin_rows',
      help: 'Rows that wait: transactions without an outcome, callbacks, messages, charges that are due',
      labelNames: ['what'],
      registers,
    }),
    oldest: new Gauge({
      name: 'florin_oldest_seconds',
      help: 'How long the oldest of them has been due',
      labelNames: ['what'],
      registers,
    }),
    connections: new Gauge({
      name: 'florin_database_connections',
      help: 'Connections of the pool, and how many wait for one',
      labelNames: ['state'],
      registers,
    }),
  };
}

/** What is counted. */
export const metrics: Metrics = holder[metricsKey];
