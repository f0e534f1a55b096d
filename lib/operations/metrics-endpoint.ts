// GET /metrics: the counters of this process, or of all workers together, and the numbers of waiting rows in the
// database.
import { timingSafeEqual } from 'node:crypto';
import { AggregatorRegistry } from 'prom-client';
import { env } from '../config/index.ts';
import { now } from '../db/clock.ts';
import { pool, statement } from '../db/index.ts';
import { sinkLags } from '../events/index.ts';
import { type HttpRequest, type HttpResult, httpResult } from '../http/index.ts';
import { type Answers, askPrimary, isWorkerProcess } from '../jobs/index.ts';
import { metrics } from '../telemetry/index.ts';
import { lastLedgerMigration } from './ledger/days.ts';

/** Each part uses the partial index by which a job claims its rows. */
const waitingRows = statement<{ at: Date }, { what: string; rows: number; since: Date | null }>(
  'metrics-rows',
  `
select 'transactions' as what, count(*)::int as rows, min(due_at) as since from transactions where due_at is not null
union all
select 'callbacks', count(*)::int, min(due_at) from callbacks where state = 'waiting'
union all
select 'subscriptions', count(*)::int, min(due_at) from subscriptions where due_at is not null and due_at <= :at::timestamptz
union all
select 'notifications', count(*)::int, min(due_at) from provider_notifications
union all
select 'unresolved', count(*)::int, min(created_at) from unresolved where closed_at is null
union all
select 'messages', count(*)::int, min(coalesce(send_at, due_at)) from messages where state = 'waiting'`,
);

const lastCheck = statement<object, { findings: number; closedAt: Date }>(
  'metrics-ledger-check',
  // Before the first check: as old as the ledger, so that the alert about missing checks is raised.
  `select coalesce(d.findings, 0) as findings, coalesce(d.closed_at, m.finished_at) as "closedAt"
     from _prisma_migrations m left join (select findings, closed_at from ledger_days order by day desc limit 1) d on true
    where m.migration_name = '${lastLedgerMigration}' and m.finished_at is not null`,
);

const scrapeSeconds = 5;
let measuredAt = Number.NEGATIVE_INFINITY;

/** Serves the metrics to requests with METRICS_TOKEN; others get 404. */
export async function serveMetrics(request: HttpRequest): Promise<HttpResult> {
  if (!hasMetricsToken(request)) return httpResult(null, { status: 404 });
  const headers = { 'content-type': metrics.registry.contentType, 'cache-control': 'no-store' };
  return httpResult(isWorkerProcess() ? await workersMetrics() : await metrics.registry.metrics(), { headers });
}

const metricsQuestion = 'metrics';
const workersMetrics = async () => String(await askPrimary(metricsQuestion));

/** How the primary process answers its workers. */
export function metricsAnswers(): Answers {
  const aggregator = new AggregatorRegistry();
  return { [metricsQuestion]: () => aggregator.clusterMetrics() };
}

metrics.measurements.rows = measureRows;
metrics.measurements.connections = () => {
  const { totalCount, idleCount, waitingCount } = pool();
  metrics.connections.set({ state: 'open' }, totalCount);
  metrics.connections.set({ state: 'idle' }, idleCount);
  metrics.connections.set({ state: 'waited for' }, waitingCount);
};

/** Whether a request has METRICS_TOKEN. */
export function hasMetricsToken({ headers }: HttpRequest): boolean {
  if (env.metricsToken === null) return false;
  const expected = Buffer.from(`Bearer ${env.metricsToken}`);
  const received = Buffer.from(headers.get('authorization') ?? '');
  return received.length === expected.length && timingSafeEqual(received, expected);
}

// Frequent scrapes cause no additional database load.
async function measureRows(): Promise<void> {
  if (performance.now() - measuredAt < scrapeSeconds * 1000) return;
  measuredAt = performance.now();
  const at = now();
  const [check] = await lastCheck({});
  if (check) {
    metrics.ledgerFindings.set(check.findings);
    metrics.ledgerCheckAge.set(Math.max(0, (at.getTime() - check.closedAt.getTime()) / 1000));
  }
  const lags = (await sinkLags()).map(({ sink, ...lag }) => ({ what: `events to ${sink}`, ...lag }));
  const rows = [...(await waitingRows({ at })), ...lags];
  for (const { what, rows: count, since } of rows) {
    metrics.rows.set({ what }, count);
    metrics.oldest.set({ what }, since ? Math.max(0, (at.getTime() - since.getTime()) / 1000) : 0);
  }
}
