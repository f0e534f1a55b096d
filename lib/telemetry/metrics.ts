// What this process counts and measures, in the words of Prometheus (docs/reference/metrics.md). Names of routes are those of the
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
      help: 'Responses by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    }),
    apiErrors: new Counter({
      name: 'florin_api_errors_total',
      help: 'Refused requests of merchants, by protocol and error code',
      labelNames: ['protocol', 'code'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'florin_rate_limited_total',
      help: 'Requests with status 429, by limit',
      labelNames: ['limit'],
      registers,
    }),
    cardTesting: new Counter({
      name: 'florin_card_testing_total',
      help: 'Attempts stopped as card testing, by threshold; merchant: merchants whose thresholds were lowered',
      labelNames: ['by'],
      registers,
    }),
    scriptMismatches: new Gauge({
      name: 'florin_script_mismatches',
      help: 'Differences between the served scripts and their inventory',
      registers,
    }),
    unresolved: new Counter({
      name: 'florin_unresolved_total',
      help: 'Unresolved items opened by this process, by kind',
      labelNames: ['kind'],
      registers,
    }),
    clockSkew: new Gauge({
      name: 'florin_clock_skew_seconds',
      help: "The difference of this process's clock from the database's; negative if it is behind",
      registers,
    }),
    provider: new Histogram({
      name: 'florin_provider_seconds',
      help: 'Calls to providers, by call and outcome; unknown outcomes are queried later',
      labelNames: ['connector', 'call', 'outcome'],
      buckets: seconds,
      registers,
    }),
    callbacks: new Histogram({
      name: 'florin_callback_seconds',
      help: 'Attempts to deliver a callback, by result: 2xx, 5xx, timeout, failed',
      labelNames: ['result'],
      buckets: seconds,
      registers,
    }),
    jobs: new Histogram({
      name: 'florin_job_seconds',
      help: 'Job rounds with work',
      labelNames: ['job'],
      buckets: seconds,
      registers,
    }),
    scheduleBrakes: new Counter({
      name: 'florin_schedule_brakes_total',
      help: 'Scheduled charges that were stopped: early, too soon after the previous charge (interval) or attempt (spacing)',
      labelNames: ['reason'],
      registers,
    }),
    rows: new Gauge({
      name: 'florin_rows',
      help: 'Waiting rows: transactions without an outcome, callbacks, subscriptions, messages, notifications, unresolved items',
      labelNames: ['what'],
      registers,
    }),
    oldest: new Gauge({
      name: 'florin_oldest_seconds',
      help: 'The time since the oldest of them was due; of unresolved, since it was opened',
      labelNames: ['what'],
      registers,
    }),
    connections: new Gauge({
      name: 'florin_database_connections',
      help: 'Connections of the pool: open, idle, and requests that wait',
      labelNames: ['state'],
      registers,
    }),
  };
}

/** What is counted. */
export const metrics: Metrics = holder[metricsKey];
