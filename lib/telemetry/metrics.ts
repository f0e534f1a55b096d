// Defines the Prometheus metrics of this process (docs/reference/metrics.md). Route labels are the names of the route
// table and not URLs, which keeps the number of label values bounded.

import cluster from 'node:cluster';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { processWide } from '../core/process-wide';

const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

/** Set the gauges of rows and connections before each scrape; the room that serves the metrics assigns them. */
const measurements: { rows: () => Promise<void>; connections: () => void } = {
  rows: async () => {},
  connections: () => {},
};

function makeMetrics() {
  const registry = new Registry();
  const registers = [registry];
  // Answers the requests of the primary process, which aggregates the metrics of its workers.
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registers);
    new AggregatorRegistry();
  }
  collectDefaultMetrics({ register: registry, prefix: 'florin_' });
  return {
    registry,
    /** When each job of this process last completed a round, in milliseconds of performance.now(). */
    rounds: new Map<string, number>(),
    measurements,
    ...requestMetrics(registers),
    ...operationMetrics(registers),
  };
}

function requestMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'florin_request_seconds',
      help: 'Duration of responses by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers,
    }),
    apiErrors: new Counter({
      name: 'florin_api_errors_total',
      help: 'Rejected requests of merchants by protocol and error code',
      labelNames: ['protocol', 'code'],
      registers,
    }),
    rateLimited: new Counter({
      name: 'florin_rate_limited_total',
      help: 'Requests with status 429 by the exceeded limit',
      labelNames: ['limit'],
      registers,
    }),
    cardTesting: new Counter({
      name: 'florin_card_testing_total',
      help: 'Attempts blocked as card testing by counter; merchant: activated defences of a merchant',
      labelNames: ['by'],
      registers,
    }),
    scriptMismatches: new Gauge({
      name: 'florin_script_mismatches',
      help: 'Differences between the scripts on payer pages and the inventory',
      aggregator: 'max',
      registers,
    }),
    unresolved: new Counter({
      name: 'florin_unresolved_total',
      help: 'New unresolved items by kind',
      labelNames: ['kind'],
      registers,
    }),
    clockSkew: new Gauge({
      name: 'florin_clock_skew_seconds',
      help: 'Seconds that the clock of this process is ahead of the database clock; negative if behind',
      aggregator: 'average',
      registers,
    }),
  };
}

function operationMetrics(registers: Registry[]) {
  return {
    provider: new Histogram({
      name: 'florin_provider_seconds',
      help: 'Duration of provider calls by call and outcome',
      labelNames: ['connector', 'call', 'outcome'],
      buckets: seconds,
      registers,
    }),
    callbacks: new Histogram({
      name: 'florin_callback_seconds',
      help: 'Duration of callback attempts by result',
      labelNames: ['result'],
      buckets: seconds,
      registers,
    }),
    jobs: new Histogram({
      name: 'florin_job_seconds',
      help: 'Duration of job rounds that found work',
      labelNames: ['job'],
      buckets: seconds,
      registers,
    }),
    scheduleBrakes: new Counter({
      name: 'florin_schedule_brakes_total',
      help: 'Scheduled charges that the brake stopped: early, too soon after the previous charge (interval) or after its attempt (spacing)',
      labelNames: ['reason'],
      registers,
    }),
    rows: new Gauge({
      name: 'florin_rows',
      help: 'Due rows: transactions without an outcome, callbacks, messages, charges',
      labelNames: ['what'],
      // All workers count the same rows.
      aggregator: 'max',
      collect: () => measurements.rows(),
      registers,
    }),
    oldest: new Gauge({
      name: 'florin_oldest_seconds',
      help: 'Seconds that the oldest due row has been due',
      labelNames: ['what'],
      aggregator: 'max',
      registers,
    }),
    connections: new Gauge({
      name: 'florin_database_connections',
      help: 'Connections of the pool, and callers that wait for one',
      labelNames: ['state'],
      collect: () => measurements.connections(),
      registers,
    }),
  };
}

/** The metrics of this process. */
export const metrics = processWide('metrics', makeMetrics);
