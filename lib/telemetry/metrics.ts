// Defines the Prometheus metrics of this process (docs/reference/metrics.md). Route labels are the names of the route
// table and not URLs, which keeps the number of label values bounded.

import cluster from 'node:cluster';
import {
  AggregatorRegistry,
  Counter,
  collectDefaultMetrics,
  Gauge,
  type GaugeConfiguration,
  Histogram,
  Registry,
} from 'prom-client';
import { processWide } from '../core/process-wide.ts';

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
    ...requestMetrics(makersOf(registers)),
    ...operationMetrics(makersOf(registers)),
  };
}

function requestMetrics({ counter, gauge, histogram }: Makers) {
  return {
    requests: histogram('request', 'Duration of responses by route and status', ['method', 'route', 'status']),
    apiErrors: counter('api_errors', 'Rejected requests of merchants by protocol and error code', ['protocol', 'code']),
    rateLimited: counter('rate_limited', 'Requests with status 429 by the exceeded limit', ['limit']),
    refusedConnections: counter('refused_connections', 'Connections over the limit of their address', []),
    maskedCardNumbers: counter(
      'masked_card_numbers',
      'Texts and parameters of requests in which card data was masked',
      ['protocol'],
    ),
    cardTesting: counter(
      'card_testing',
      'Attempts blocked as card testing by counter; merchant: activated defences of a merchant',
      ['by'],
    ),
    scriptMismatches: gauge(
      'script_mismatches',
      'Differences between the scripts on payer pages and the inventory',
      [],
      { aggregator: 'max' },
    ),
    unresolved: counter('unresolved', 'New unresolved items by kind', ['kind']),
    clockSkew: gauge(
      'clock_skew_seconds',
      'Seconds that the clock of this process is ahead of the database clock; negative if behind',
      [],
      { aggregator: 'average' },
    ),
  };
}

function operationMetrics({ counter, gauge, histogram }: Makers) {
  return {
    provider: histogram('provider', 'Duration of provider calls by call and outcome', ['connector', 'call', 'outcome']),
    callbacks: histogram('callback', 'Duration of callback attempts by result', ['result']),
    jobs: histogram('job', 'Duration of job rounds that found work', ['job']),
    jobFailures: counter('job_failures', 'Job rounds that failed', ['job']),
    sealedValues: counter('sealed_values', 'Encrypted and decrypted values of the vault by label and result', [
      'call',
      'label',
      'result',
    ]),
    dataKeys: counter('data_keys', 'Wrapped and unwrapped data keys by result; refused: encrypted with another key', [
      'call',
      'result',
    ]),
    scheduleBrakes: counter(
      'schedule_brakes',
      'Scheduled charges that the brake stopped: early, too soon after the previous charge (interval) or after its attempt (spacing)',
      ['reason'],
    ),
    // All workers count the same rows.
    rows: gauge('rows', 'Due rows: transactions without an outcome, callbacks, messages, charges', ['what'], {
      aggregator: 'max',
      collect: () => measurements.rows(),
    }),
    ledgerFindings: gauge('ledger_findings', 'Violations that the last nightly check of the ledger has found', [], {
      aggregator: 'max',
    }),
    ledgerCheckAge: gauge('ledger_check_age_seconds', 'Seconds since the last nightly check of the ledger', [], {
      aggregator: 'max',
    }),
    oldest: gauge('oldest_seconds', 'Seconds that the oldest due row has been due', ['what'], { aggregator: 'max' }),
    connections: gauge('database_connections', 'Connections of the pool, and callers that wait for one', ['state'], {
      collect: () => measurements.connections(),
    }),
  };
}

type Makers = ReturnType<typeof makersOf>;

/** Makes metrics in the registers by their names in our namespace, without the unit of counters and histograms. */
function makersOf(registers: Registry[]) {
  return {
    counter: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Counter({ name: `florin_${name}_total`, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, help: string, labelNames: Label[]) =>
      new Histogram({ name: `florin_${name}_seconds`, help, labelNames, buckets: seconds, registers }),
    gauge: <Label extends string>(
      name: string,
      help: string,
      labelNames: Label[],
      options: Pick<GaugeConfiguration<Label>, 'aggregator' | 'collect'>,
    ) => new Gauge({ name: `florin_${name}`, help, labelNames, ...options, registers }),
  };
}

/** The metrics of this process. */
export const metrics = processWide('metrics', makeMetrics);
