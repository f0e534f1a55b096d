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
  await client.query('commit');
  return closed;
}

test('a day that was closed has its hash for ever, and a changed one is found', async () => {
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
      return invariants.flatMap(({ name, rows }) => (rows.length > 0 ? [[name, rows]] : []));
    };
    expect(await check()).toEqual([]);
    const changed = (statement: string) =>
      client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
    const firstOf = (day: string) =>
      `id = (select min(id) from ledger_entries where posted_at >= timestamptz '${day} 00:00:00Z')`;
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
      startCommand(['ledger', 'acknowledge', day, '--note', 'A test'], { DATABASE_URL: postgres.url }).ended;
    expect([(await acknowledge('2026-11-01')).code, (await acknowledge('2026-11-02')).code]).toEqual([1, 1]);
    const later = `update ledger_entries set posted_at = posted_at + interval '1 second' where ${firstOf('2026-11-02')}`;
    await changed(later);
    expect((await check()).map(([name]) => name)).toEqual(['day of the ledger is unaltered']);
    expect(await acknowledge('2026-11-03')).toEqual({ code: 0, output: expect.stringContaining('is acknowledged') });
    expect(await check()).toEqual([]);
    expect((await acknowledge('2026-11-03')).output).toContain('acknowledged before');
    const { rows: logged } = await client.query(
      `select after ->> 'note' as note from audit_entries where action = 'ledger.acknowledge'`,
    );
    expect(logged).toEqual([{ note: 'A test' }]);
    // The acknowledged entries are those of that moment.
    await changed(later);
    expect((await check()).map(([name]) => name)).toEqual(['day of the ledger is unaltered']);
    await expect(client.query('delete from ledger_acknowledgements')).rejects.toThrow('append-only');
    await changed(later.replace('+ interval', '- 2 * interval'));
    expect(await check()).toEqual([]);
    // Who changes an entry and the hash of its day breaks the chain of the days after it.
    await changed(`update ledger_days set hash = sha256('another') where day = '2026-11-01'`);
    expect((await check()).map(([name, rows]) => [name, (rows as { day: string }[]).map(({ day }) => day)])).toEqual([
      ['day of the ledger is unaltered', ['2026-11-01', '2026-11-03']],
    ]);
  } finally {
    await client.end();
    await postgres.stop();
  }
});
