// The closed days of the ledger, on a database of its own: a day is closed with the hash of its entries, and an entry that is
// changed, removed or added afterwards is found.
import { Client } from 'pg';
import { checkLedger } from '../../lib/operations/ledger/check-database.ts';
import { type ClosedDay, hashDay } from '../../lib/operations/ledger/days.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { seedPayments } from '../audit/seed.ts';
import { expect, test } from '../support/test.ts';
import { startCommand } from '../support/vault.ts';

/** Closes a day as the nightly check does. */
async function close(client: Client, before: ClosedDay | null, day: string): Promise<ClosedDay> {
  await client.query('begin');
  const closed = await hashDay(client, before, day);
  await client.query(
    `insert into ledger_days (day, entries, hash, findings, broken, took_ms, closed_at) values ($1, $2, $3, 0, '{}', 1, now())`,
    [day, closed.entries, closed.hash],
  );
  await log(client, 'ledger.close', closed);
  await client.query('commit');
  return closed;
}

/** Inserts an entry of the audit log as the service does, apart from its hash. */
async function log(client: Client, action: string, { day, hash }: Pick<ClosedDay, 'day' | 'hash'>): Promise<void> {
  await client.query(
    `insert into audit_entries (at, actor, action, subject, after, previous, hash)
     values (now(), 'florin', $1, 'ledger', jsonb_build_object('day', $2::text, 'hash', $3::text),
             coalesce((select e.hash from audit_entries e order by id desc limit 1), decode(repeat('00', 32), 'hex')),
             sha256($3::text::bytea))`,
    [action, day, hash.toString('base64url')],
  );
}

/** A database with payments of two days, which are closed, and what a test does with them. */
async function closedLedger(work: (ledger: Ledger) => Promise<void>): Promise<void> {
  const postgres = await startTemporaryPostgres();
  const client = new Client(postgres.url);
  try {
    await migrate(postgres.url);
    await client.connect();
    await seedPayments(client, 300, { secondsBetween: 600 });
    const first = await close(client, null, '2026-11-01');
    // A night without a check: the next row covers both days.
    const second = await close(client, first, '2026-11-03');
    const [{ count }] = (await client.query('select count(*)::int as count from ledger_entries')).rows;
    expect([first.entries > 50n, second.entries > 50n, first.entries + second.entries]).toEqual([
      true,
      true,
      BigInt(count),
    ]);
    const check = async () => {
      const { invariants } = await checkLedger(postgres.url);
      // The entries of the audit log here have no hash of their contents.
      const found = invariants.filter(({ name, rows }) => rows.length > 0 && name !== 'audit entry is unaltered');
      return found.map(({ name, rows }): [string, unknown] => [name, rows]);
    };
    expect(await check()).toEqual([]);
    const changed = (statement: string) =>
      client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
    const firstOf = (day: string) =>
      `id = (select min(id) from ledger_entries where posted_at >= timestamptz '${day} 00:00:00Z')`;
    await work({ client, url: postgres.url, first, second, check, changed, firstOf });
  } finally {
    await client.end();
    await postgres.stop();
  }
}

type Ledger = {
  client: Client;
  url: string;
  first: ClosedDay;
  second: ClosedDay;
  check: () => Promise<[name: string, rows: unknown][]>;
  changed: (statement: string) => Promise<unknown>;
  firstOf: (day: string) => string;
};

const names = (found: [name: string, rows: unknown][]) => found.map(([name]) => name);

test('a day that was closed has its hash for ever, and a changed one is found', () =>
  closedLedger(async ({ client, url, second, check, changed, firstOf }) => {
    await changed(
      `update ledger_entries set posted_at = posted_at + interval '1 second' where ${firstOf('2026-11-02')}`,
    );
    const entries = String(second.entries);
    const broken = { day: '2026-11-03', entries, entriesWhenClosed: entries };
    expect(await check()).toEqual([['day of the ledger is unaltered', [broken]]]);
    await changed(
      `update ledger_entries set posted_at = posted_at - interval '1 second' where ${firstOf('2026-11-02')}`,
    );
    expect(await check()).toEqual([]);
    const acknowledge = (day: string) =>
      startCommand(['ledger', 'acknowledge', day, '--note', 'A test'], { DATABASE_URL: url }).ended;
    expect([(await acknowledge('2026-11-01')).code, (await acknowledge('2026-11-02')).code]).toEqual([1, 1]);
    const later = `update ledger_entries set posted_at = posted_at + interval '1 second' where ${firstOf('2026-11-02')}`;
    await changed(later);
    expect(names(await check())).toEqual(['day of the ledger is unaltered']);
    expect(await acknowledge('2026-11-03')).toEqual({ code: 0, output: expect.stringContaining('is acknowledged') });
    expect(await check()).toEqual([]);
    expect((await acknowledge('2026-11-03')).output).toContain('acknowledged before');
    const { rows: logged } = await client.query(
      `select after ->> 'note' as note from audit_entries where action = 'ledger.acknowledge'`,
    );
    expect(logged).toEqual([{ note: 'A test' }]);
    // The acknowledged entries are those of that moment.
    await changed(later);
    expect(names(await check())).toEqual(['day of the ledger is unaltered']);
    await expect(client.query('delete from ledger_acknowledgements')).rejects.toThrow('append-only');
    await changed(later.replace('+ interval', '- 2 * interval'));
    expect(await check()).toEqual([]);
    // Who changes an entry and the hash of its day breaks the chain of the days after it.
    await changed(`update ledger_days set hash = sha256('another') where day = '2026-11-01'`);
    expect((await check()).map(([name, rows]) => [name, (rows as { day: string }[]).map(({ day }) => day)])).toEqual([
      ['day of the ledger is unaltered', ['2026-11-01', '2026-11-03']],
    ]);
  }));

test('neither an acknowledgement nor the hash of a day counts without its entry in the audit log', () =>
  closedLedger(async ({ client, first, second, check, changed, firstOf }) => {
    const later = `update ledger_entries set posted_at = posted_at + interval '1 second' where ${firstOf('2026-11-02')}`;
    const entries = String(second.entries);
    const broken = { day: '2026-11-03', entries, entriesWhenClosed: entries };
    // An acknowledgement without its entry in the audit log counts for nothing.
    await changed(later);
    await client.query('begin');
    const forged = await hashDay(client, first, '2026-11-03');
    await client.query(`insert into ledger_acknowledgements values ('2026-11-03', $1, 'forged', now())`, [forged.hash]);
    await client.query('commit');
    expect(names(await check())).toEqual(['day of the ledger is unaltered']);
    await changed(later.replace('+ interval', '- interval'));
    expect(await check()).toEqual([]);
    // So does a day that was closed again.
    await changed(
      `${later}; update ledger_days set hash = '\\x${forged.hash.toString('hex')}' where day = '2026-11-03'`,
    );
    expect(await check()).toEqual([
      ['day of the ledger is unaltered', [{ ...broken, auditLog: 'another hash, or none' }]],
    ]);
    await changed(
      `${later.replace('+ interval', '- interval')}; update ledger_days set hash = '\\x${second.hash.toString('hex')}' where day = '2026-11-03'`,
    );
  }));
