/**
 * The nightly check of the ledger, by one process: it checks all invariants and the days of the last week, and closes the day
 * before with its hash. The result is in ledger_days, the audit log, the metrics and the overview.
 */
import type pg from 'pg';
import { auditWith } from '../../auth/index.ts';
import { env } from '../../config/index.ts';
import { pool, statement } from '../../db/index.ts';
import { runInBackground } from '../../jobs/index.ts';
import { log } from '../../telemetry/index.ts';
import { checkOn } from './check-database.ts';
import { type ClosedDay, hashDay, lastLedgerMigration, readDays } from './days.ts';

/** It begins within so many hours from LEDGER_CHECK_HOUR on. */
const hoursMax = 3;
const verifiedDays = 7;
/** Less memory than `florin ledger check` takes, because payments are served beside it. */
const memory = '64MB';

let isRunning = false;
/** The hour of the last look, so that a process looks once an hour. */
let lookedAt = '';

/**
 * Checks the ledger in the night, and closes the day before by the database's clock, which the entries have. It continues in the
 * background, because it takes minutes where there are many payments.
 */
export async function closeLedgerDay(now: Date): Promise<number> {
  const hour = now.toISOString().slice(0, 13);
  const from = env.ledgerCheckHour;
  const isNight = from !== null && (now.getUTCHours() - from + 24) % 24 < hoursMax;
  if (!isNight || isRunning || hour === lookedAt) return 0;
  isRunning = true;
  lookedAt = hour;
  runInBackground('the check of the ledger', () =>
    checkAndClose(now)
      .catch((err) => log.error({ err }, 'ALERT: the ledger could not be checked'))
      .finally(() => {
        isRunning = false;
      }),
  );
  return 0;
}

/** Closes the day before, if it is open and no other process is about to. */
async function checkAndClose(now: Date): Promise<void> {
  const checked = await checkDay();
  if (!checked) return;
  const { day, entries, hash, findings, broken } = checked;
  const after = { day, entries: String(entries), hash: hash.toString('base64url'), findings, broken };
  const entry = { actor: 'florin', action: 'ledger.close', subject: 'ledger', after, merchantId: null } as const;
  // Another process may have closed the day meanwhile.
  const isClosed = await auditWith(
    entry,
    now,
    async (run) => (await insert({ ...checked, broken: JSON.stringify(broken) }, run)).length > 0,
  );
  if (!isClosed) return;
  if (findings > 0) log.error({ day, findings, broken }, 'ALERT: the check of the ledger has findings');
  else log.info({ day, entries: String(entries) }, 'a day of the ledger is closed');
}

type Checked = ClosedDay & { findings: number; broken: Record<string, number>; tookMs: number };

/** Checks the ledger and hashes the day before; null where it is closed, or another process checks. */
async function checkDay(): Promise<Checked | null> {
  const connection = await pool().connect();
  let failure: Error | undefined;
  try {
    await connection.query('begin isolation level repeatable read read only');
    const checked = await checkIfFree(connection);
    await connection.query('commit');
    return checked;
  } catch (err) {
    failure = err as Error;
    throw err;
  } finally {
    connection.release(failure);
  }
}

// The day of the database's clock. Until the migrations have posted what was before the ledger, no day is complete; and in the
// first hour of a day, statements of the day before may still be running.
const dayBefore = `select pg_try_advisory_xact_lock(hashtext('florin.ledger')) as free,
  ((clock_timestamp() at time zone 'UTC' - interval '1 hour')::date - 1)::text as day,
  exists (select 1 from _prisma_migrations
           where migration_name = '${lastLedgerMigration}' and finished_at is not null) as complete`;

async function checkIfFree(connection: pg.PoolClient): Promise<Checked | null> {
  const { rows } = await connection.query<{ free: boolean; day: string; complete: boolean }>(dayBefore);
  const [{ free, day, complete } = { free: false, day: '', complete: false }] = rows;
  const [before = null] = await readDays(connection, 1);
  if (!free || !complete || (before && before.day >= day)) return null;
  const started = performance.now();
  const { findings, invariants } = await checkOn(connection, verifiedDays, memory);
  const broken = Object.fromEntries(
    invariants.filter(({ count }) => count > 0).map(({ name, count }) => [name, count]),
  );
  const closed = await hashDay(connection, before, day);
  return { ...closed, findings, broken, tookMs: Math.round(performance.now() - started) };
}

type InsertParams = Omit<Checked, 'broken'> & { broken: string };
const insert = statement<InsertParams, { day: string }>(
  'ledger-day-insert',
  `insert into ledger_days (day, entries, hash, findings, broken, took_ms, closed_at)
   values (:day::date, :entries::bigint, :hash::bytea, :findings::int, :broken::jsonb, :tookMs::int, clock_timestamp())
   on conflict do nothing returning day`,
);
