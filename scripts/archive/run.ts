// Moves payments out of the database into files, in batches. Each batch is read in one snapshot, written to a file
// (files.ts) and then deleted in one transaction, which first locks and reads the rows again: what has changed since the
// file was written stays in the database.
import { createHash, type Hash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { errorCode } from '../project.ts';
import { type Candidate, leastDays, lockEligible, readCandidates } from './eligible.ts';
import {
  fileName,
  lineOf,
  type ManifestLine,
  manifestDigest,
  readManifest,
  removeOrphans,
  writeFile,
  writeManifest,
} from './files.ts';
import { type ArchivedTable, deleteSql, type Plan, readPlan, rowsSql } from './tables.ts';

/** Between two batches, so that the service and autovacuum keep up. */
const pauseMilliseconds = 500;

type Wanted = { url: string; folder: string; before: Date; size: number; dry: boolean; say: (line: string) => void };

/** The result of a run: archived payments, those that stay by reason, and the manifest's digest if the audit log lacks it. */
export type Archived = { payments: number; files: number; stay: Map<string, number>; digest: string | null };

type Batch = { ids: string[]; file: string; digests: Map<string, string>; counts: Record<string, number> };

/** Archives the payments created before a date. */
export async function archivePayments(wanted: Wanted): Promise<Archived> {
  const client = new pg.Client({ connectionString: wanted.url, application_name: 'florin-archive' });
  await client.connect();
  try {
    for (const setting of ["timezone = 'UTC'", "statement_timeout = '60s'", "lock_timeout = '15s'"]) {
      await client.query(`set ${setting}`);
    }
    await lockArchive(client);
    // The time names the files, so it is read under the lock.
    const start = await requireAge(client, wanted.before);
    return await archiveBatches(client, wanted, start);
  } finally {
    await client.end();
  }
}

/** The database's time; throws where the date is too late. */
async function requireAge(client: pg.ClientBase, before: Date): Promise<Date> {
  const { rows } = await client.query<{ now: Date; latest: Date }>(
    `select now(), now() - interval '${leastDays} days' as latest`,
  );
  const { now, latest } = rows[0] as { now: Date; latest: Date };
  if (before <= latest) return now;
  throw new Error(
    `Payments younger than ${leastDays} days stay in the database: --before is at the latest ${latest.toISOString().slice(0, 10)}.`,
  );
}

// Until the connection ends. Two runs would take each other's files for those of an interrupted one.
async function lockArchive(client: pg.ClientBase) {
  try {
    await client.query("select pg_advisory_lock(hashtext('florin.archive'))");
  } catch (error) {
    if (errorCode(error) === '55P03') throw new Error('Another run of florin archive is under way.');
    throw error;
  }
}

async function archiveBatches(client: pg.ClientBase, wanted: Wanted, start: Date): Promise<Archived> {
  const { folder, before, size, dry, say } = wanted;
  const plan = await readPlan(client);
  const result: Archived = { payments: 0, files: 0, stay: new Map(), digest: null };
  const stays = (reason: string, count = 1) => result.stay.set(reason, (result.stay.get(reason) ?? 0) + count);
  const orphans = dry ? [] : await removeOrphans(client, folder);
  for (const file of orphans) say(`${file} of an interrupted run was removed: its payments are in the database.`);
  let last: Candidate | undefined;
  for (;;) {
    await client.query('begin isolation level repeatable read read only');
    const candidates = await readCandidates(client, before, last, size);
    const batch = candidates.filter(({ reason }) => reason === null);
    for (const { reason } of candidates) if (reason !== null) stays(reason);
    if (batch.length > 0 && !dry) {
      const file = fileName(start, result.files + 1);
      const moved = await archiveBatch(client, plan, folder, batch, file, before);
      result.files += 1;
      result.payments += moved;
      if (moved < batch.length) stays('changed during the run', batch.length - moved);
      say(`${file}: ${moved} payments`);
      await pause(pauseMilliseconds);
    } else {
      await client.query('commit');
      if (dry) result.payments += batch.length;
    }
    last = candidates.at(-1);
    if (candidates.length < size) break;
  }
  return dry ? result : { ...result, digest: await unauditedDigest(client, folder) };
}

// Also of an earlier run that ended before its entry.
async function unauditedDigest(client: pg.ClientBase, folder: string): Promise<string | null> {
  if (readManifest(folder).length === 0) return null;
  const digest = manifestDigest(folder);
  const { rowCount } = await client.query(
    "select 1 from audit_entries where action = 'payments.archive' and after ->> 'manifest' = $1 limit 1",
    [digest],
  );
  return rowCount === 0 ? digest : null;
}

/** Writes the file of a batch, ends the snapshot and deletes the rows; returns the number of archived payments. */
async function archiveBatch(
  client: pg.ClientBase,
  plan: Plan,
  folder: string,
  candidates: Candidate[],
  file: string,
  before: Date,
): Promise<number> {
  const batch: Batch = { ids: candidates.map(({ id }) => id), file, digests: new Map(), counts: {} };
  const sha256 = await writeFile(folder, file, linesOf(client, plan.tables, batch));
  await client.query('commit');
  const [first, last] = [candidates[0]?.createdAt ?? '', candidates.at(-1)?.createdAt ?? ''];
  const line: ManifestLine = { file, sha256, payments: candidates.length, rows: batch.counts, first, last };
  await writeManifest(folder, [...readManifest(folder), line]);
  await client.query('begin');
  try {
    const moved = await deleteBatch(client, plan, batch, before);
    await client.query('commit');
    return moved;
  } catch (error) {
    await client.query('rollback');
    if (errorCode(error) !== '55P03') throw error;
    throw new Error(
      'The tables of payments were locked for 15 seconds. Nothing of this batch was deleted; run it again.',
    );
  }
}

async function* linesOf(client: pg.ClientBase, tables: ArchivedTable[], batch: Batch) {
  const hashes = new Map<string, Hash>();
  for (const table of tables) {
    const rows = await readRows(client, table, batch.ids, false, hashes);
    batch.counts[table.name] = rows.length;
    for (const { payment, row } of rows) yield lineOf(table.name, payment, row);
  }
  batch.digests = digestsOf(hashes);
}

type Row = { payment: string; row: string };

/** The rows of a table, added to the hash of their payment. */
async function readRows(
  client: pg.ClientBase,
  table: ArchivedTable,
  ids: string[],
  lock: boolean,
  hashes: Map<string, Hash>,
): Promise<Row[]> {
  const { rows } = await client.query<Row>(rowsSql(table, lock), [ids]);
  for (const { payment, row } of rows) {
    const hash = hashes.get(payment) ?? createHash('sha256');
    hashes.set(payment, hash.update(lineOf(table.name, payment, row)));
  }
  return rows;
}

const digestsOf = (hashes: Map<string, Hash>) => new Map([...hashes].map(([id, hash]) => [id, hash.digest('hex')]));

async function deleteBatch(client: pg.ClientBase, plan: Plan, batch: Batch, before: Date): Promise<number> {
  const locked = await lockEligible(client, before, batch.ids);
  const hashes = new Map<string, Hash>();
  for (const table of plan.tables) await readRows(client, table, locked, true, hashes);
  const ids = [...digestsOf(hashes)].filter(([id, digest]) => batch.digests.get(id) === digest).map(([id]) => id);
  await client.query(
    `insert into archived_payments
            (id, merchant_id, order_number, holds_order, state, currency, amount_minor, created_at, archived_at, file)
     select id, merchant_id, order_number, current and attempts > 0, state, currency, amount_minor, created_at, now(), $2
       from payments where id = any($1::uuid[])`,
    [ids, batch.file],
  );
  for (const table of plan.deletion) await client.query(deleteSql(table), [ids]);
  return ids.length;
}
