// GET /readyz: reports for each dependency whether this process can work. It is for operators and deployments; load
// balancers use the cheaper /healthz.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../config/index.ts';
import { recent } from '../core/recent.ts';
import { query } from '../db/index.ts';
import { sinkLags } from '../events/index.ts';
import { type HttpRequest, type HttpResult, jsonResult } from '../http/index.ts';
import { log, metrics } from '../telemetry/index.ts';
import { linkHmac } from '../vault/index.ts';
import { clockReady } from './clock-check.ts';
import { within } from './health.ts';
import { hasMetricsToken } from './metrics-endpoint.ts';
import { scriptsReady } from './script-check.ts';

type Check = { ok: boolean; says?: string; milliseconds: number };

const timeoutMilliseconds = 2_000;
/** A job without a successful round for this time is stuck. */
const roundSecondsMax = 90;

const checks: { [name: string]: () => Promise<string | undefined> } = {
  async database() {
    await query('ready', 'select 1');
    return undefined;
  },
  // All migrations of this version have been applied.
  async migrations() {
    const expected = readdirSync(join(process.cwd(), 'prisma', 'migrations'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const rows = await query<{ name: string }>(
      'ready-migrations',
      'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    const done = new Set(rows.map(({ name }) => name));
    const missing = expected.filter((name) => !done.has(name));
    if (missing.length > 0) throw new Error(`${missing.length} to be carried out`);
    return `${expected.length} carried out`;
  },
  // VAULT_KEY of this process decrypts the data keys of the database.
  async vault() {
    await linkHmac('ready');
    return undefined;
  },
  // The served scripts are those that were built and approved.
  scripts: scriptsReady,
  clock: clockReady,
  // Never fails: a sink that is down concerns no payment.
  async events() {
    const lags = await sinkLags();
    const texts = lags.map(({ sink, rows, since, error }) =>
      since === null
        ? `${sink}: up to date`
        : `${sink}: ${rows} since ${since.toISOString()}${error ? ` (${error})` : ''}`,
    );
    return texts.length > 0 ? texts.join('; ') : 'no sink';
  },
  async jobs() {
    if (!env.jobs) return 'run by other processes';
    const overdue = [...metrics.rounds].filter(([, at]) => performance.now() - at > roundSecondsMax * 1000);
    if (overdue.length > 0)
      throw new Error(`${overdue.map(([name]) => name).join(', ')}: no successful round for ${roundSecondsMax} s`);
    return `${metrics.rounds.size} running`;
  },
};

type Results = { [name: string]: Check };

/**
 * The results of at most a second ago. The address has no rate limit, because an orchestrator asks every process from one
 * address and must never be refused: any number of requests costs one round of checks a second.
 */
const checkedResults = recent(1_000, async (): Promise<Results> => {
  const entries = await Promise.all(
    Object.entries(checks).map(async ([name, run]) => [name, await runCheck(name, run)]),
  );
  return Object.fromEntries(entries);
});

/**
 * 200 `{status:'ok', checks}` or 503 `{status:'unavailable', checks}`; `checks` by name of the dependency, for requests
 * with METRICS_TOKEN and for all requests to a sandbox without one.
 */
export async function ready(request: HttpRequest): Promise<HttpResult> {
  const results = await checkedResults();
  const isReady = Object.values(results).every(({ ok }) => ok);
  const status = isReady ? 'ok' : 'unavailable';
  return jsonResult(
    { status, ...(seesChecks(request) && { checks: results }) },
    { status: isReady ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  );
}

const seesChecks = (request: HttpRequest) =>
  hasMetricsToken(request) || (env.appEnv === 'sandbox' && env.metricsToken === null);

async function runCheck(name: string, run: () => Promise<string | undefined>): Promise<Check> {
  const started = performance.now();
  const milliseconds = () => Math.round(performance.now() - started);
  try {
    const says = await within(timeoutMilliseconds, run());
    return { ok: true, ...(says && { says }), milliseconds: milliseconds() };
  } catch (err) {
    log.warn({ err, check: name }, 'a check of readiness failed');
    // Messages of drivers may contain host and user names; those of the checks above can be shown.
    const says = err instanceof Error && err.constructor === Error ? err.message : 'no answer';
    return { ok: false, says, milliseconds: milliseconds() };
  }
}
