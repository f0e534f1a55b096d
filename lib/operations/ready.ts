// GET /readyz: whether this process can do its work, by the name of everything that it depends on. A balancer asks
// /healthz, which is one question to the database; this is for people and for whoever starts a deployment.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { env } from '../config';
import { query } from '../db';
import { log, metrics } from '../telemetry';
import { linkHmac } from '../vault';
import { clockReady } from './clock-check';
import { scriptsReady } from './script-check';

type Check = { ok: boolean; says?: string; milliseconds: number };

const patienceMilliseconds = 2_000;
/** A job that has ended no round for so long is stuck. */
const roundSecondsMax = 90;

const checks: { [name: string]: () => Promise<string | undefined> } = {
  async database() {
    await query('ready', 'select 1');
    return undefined;
  },
  // Every migration that this version knows has been carried out, so that its statements find their columns.
  async migrations() {
    const wanted = readdirSync(join(process.cwd(), 'prisma', 'migrations'), { withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map(({ name }) => name);
    const rows = await query<{ name: string }>(
      'ready-migrations',
      'select migration_name as name from _prisma_migrations where finished_at is not null and rolled_back_at is null',
    );
    const done = new Set(rows.map(({ name }) => name));
    const missing = wanted.filter((name) => !done.has(name));
    if (missing.length > 0) throw new Error(`${missing.length} to be carried out`);
    return `${wanted.length} carried out`;
  },
  // The data keys of the database open with this process's VAULT_KEY.
  async vault() {
    await linkHmac('ready');
    return undefined;
  },
  // What payers are served is what was built and approved.
  scripts: scriptsReady,
  clock: clockReady,
  async jobs() {
    if (!env.jobs) return 'run by other processes';
    const late = [...metrics.rounds].filter(([, at]) => performance.now() - at > roundSecondsMax * 1000);
    if (late.length > 0) throw new Error(`${late.map(([name]) => name).join(', ')}: no round for ${roundSecondsMax} s`);
    return `${metrics.rounds.size} running`;
  },
};

/** 200 `{status:'ok', checks}` or 503 `{status:'unavailable', checks}`; `checks` by the name of what is depended on. */
export async function ready(): Promise<Response> {
  const found = await Promise.all(Object.entries(checks).map(async ([name, run]) => [name, await runCheck(name, run)]));
  const all = Object.fromEntries(found) as { [name: string]: Check };
  const isReady = Object.values(all).every(({ ok }) => ok);
  const status = isReady ? 'ok' : 'unavailable';
  return Response.json(
    { status, checks: all },
    { status: isReady ? 200 : 503, headers: { 'cache-control': 'no-store' } },
  );
}

async function runCheck(name: string, run: () => Promise<string | undefined>): Promise<Check> {
  const started = performance.now();
  const milliseconds = () => Math.round(performance.now() - started);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_done, fail) => {
    timer = setTimeout(() => fail(new Error('no answer in time')), patienceMilliseconds);
  });
  try {
    const says = await Promise.race([run(), late]);
    return { ok: true, ...(says && { says }), milliseconds: milliseconds() };
  } catch (err) {
    log.warn({ err, check: name }, 'a check of readiness failed');
    // What a driver says may name hosts and users; what our own checks say is fit for showing.
    const says = err instanceof Error && err.constructor === Error ? err.message : 'no answer';
    return { ok: false, says, milliseconds: milliseconds() };
  } finally {
    clearTimeout(timer);
  }
}
