/**
 * The closed days of the ledger. Each has a hash over its entries and the hash of the day before, so that an entry that was
 * changed, removed or added afterwards is found. Days are those of UTC. The hash is in the audit log too, whose entries have a
 * key: a database role alone cannot close a day again, or acknowledge a change.
 */
import { createHash } from 'node:crypto';
import type { ClientBase } from 'pg';
import { type Finding, shownMax } from './check.ts';

/** A day as it is closed: its entries are those after the end of the day before that was closed. */
export type ClosedDay = { day: string; entries: bigint; hash: Buffer };

/** The migration that posted the last entries of what was before the ledger. */
export const lastLedgerMigration = '20261130182205_suspense_of_earlier_items';

/** What the first day is chained to. */
const noHash = Buffer.alloc(32);
/** Entries per read. */
const batch = 1_000;

// Every column of an entry, in an order and a form that do not depend on settings.
const entryLines = `
select concat_ws('|', id, movement, debit, credit, amount_minor, currency, merchant_id, mid_id, payment_id, transaction_id,
                 coalesce(unresolved_id::text, '-'), (extract(epoch from posted_at) * 1000)::bigint) as line
  from ledger_entries`;

const endOf = (day: string) => `(date '${day}' + 1)::timestamp at time zone 'UTC'`;

/** Computes the hash of the entries until the end of `day`, from the end of `before` on. Runs in a transaction. */
export async function hashDay(client: ClientBase, before: ClosedDay | null, day: string): Promise<ClosedDay> {
  const from = before ? `posted_at >= ${endOf(before.day)} and ` : '';
  await client.query(
    `declare ledger_day no scroll cursor for ${entryLines} where ${from}posted_at < ${endOf(day)} order by ledger_entries.id`,
  );
  const hash = createHash('sha256')
    .update(before?.hash ?? noHash)
    .update(`${day}\n`);
  let entries = 0n;
  for (;;) {
    const { rows } = await client.query<{ line: string }>(`fetch ${batch} from ledger_day`);
    for (const { line } of rows) hash.update(`${line}\n`);
    entries += BigInt(rows.length);
    if (rows.length < batch) break;
  }
  await client.query('close ledger_day');
  return { day, entries, hash: hash.digest() };
}

/** Reads the last closed days, oldest first; all of them by default. */
export async function readDays(client: ClientBase, last: number | null = null): Promise<ClosedDay[]> {
  const { rows } = await client.query<{ day: string; entries: string; hash: Buffer }>(
    `select day::text as day, entries::text as entries, hash from ledger_days order by day desc limit $1`,
    [last],
  );
  return rows.map(({ entries, ...day }) => ({ ...day, entries: BigInt(entries) })).reverse();
}

const nameOf = (day: string, hash: Buffer) => `${day} ${hash.toString('base64url')}`;

/** The hashes of days from `from` on, as `day hash`: those that the audit log has by action, and those acknowledged there and here. */
async function readKnown(
  client: ClientBase,
  from: string,
): Promise<{ closed: Set<string>; acknowledged: Set<string> }> {
  const { rows: logged } = await client.query<{ action: string; name: string }>(
    `select action, concat_ws(' ', after ->> 'day', after ->> 'hash') as name from audit_entries
      where action in ('ledger.close', 'ledger.acknowledge') and after ->> 'day' >= $1`,
    [from],
  );
  const { rows: stored } = await client.query<{ day: string; hash: Buffer }>(
    'select day::text as day, hash from ledger_acknowledgements where day >= $1::date',
    [from],
  );
  const namesOf = (action: string) => new Set(logged.filter((each) => each.action === action).map(({ name }) => name));
  const acknowledged = namesOf('ledger.acknowledge');
  const both = stored.map(({ day, hash }) => nameOf(day, hash)).filter((name) => acknowledged.has(name));
  return { closed: namesOf('ledger.close'), acknowledged: new Set(both) };
}

/** Computes the hashes of closed days again; `last` of them, or all. Runs in a transaction. */
export async function checkDays(client: ClientBase, last: number | null = null): Promise<Finding> {
  // The day before the first one that is verified, for its hash.
  const days = await readDays(client, last === null ? null : last + 1);
  const { closed, acknowledged } = await readKnown(client, days[0]?.day ?? '9999-12-31');
  const broken: object[] = [];
  for (const [place, day] of days.entries()) {
    if (last !== null && days.length > last && place === 0) continue;
    const { entries, hash } = await hashDay(client, days[place - 1] ?? null, day.day);
    const isUnaltered = hash.equals(day.hash) || acknowledged.has(nameOf(day.day, hash));
    const isLogged = closed.has(nameOf(day.day, day.hash));
    if (isUnaltered && isLogged) continue;
    const counts = { entries: String(entries), entriesWhenClosed: String(day.entries) };
    broken.push({ day: day.day, ...counts, ...(!isLogged && { auditLog: 'another hash, or none' }) });
  }
  return {
    name: 'day of the ledger is unaltered',
    rule: 'The entries of a closed day have the hash that it was closed with, or one that was acknowledged; the audit log has it too.',
    count: broken.length,
    rows: broken.slice(0, shownMax),
  };
}
