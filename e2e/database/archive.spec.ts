// florin archive: old payments leave the database for files and stay findable, whatever interrupts a run.
import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { checkLedger } from '../../lib/operations/ledger/check-database.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { seedPayments } from '../audit/seed.ts';
import { sandboxSettings } from '../runner/servers.ts';
import { violationsOf } from '../support/accessible.ts';
import { type CardMerchant, cardFields } from '../support/card-merchant.ts';
import { signInBrowser, visitorAs } from '../support/dashboard.ts';
import { sql } from '../support/database-rows.ts';
import { expect, test } from '../support/test.ts';
import { type CommandResult, type Running, startCommand } from '../support/vault.ts';

const folders: string[] = [];
const newFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'florin-archive-'));
  folders.push(folder);
  return folder;
};
test.afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

type Seeded = {
  client: Client;
  url: string;
  folder: string;
  /** Starts `florin archive` with these arguments, behind the date and the folder. */
  start: (...more: string[]) => Running;
  count: (sql: string) => Promise<number>;
};

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** A database of its own with three hundred payments of 500 days ago, of every kind. */
async function withOldPayments(work: (seeded: Seeded) => Promise<void>) {
  const postgres = await startTemporaryPostgres();
  const client = new Client(postgres.url);
  try {
    await migrate(postgres.url);
    await client.connect();
    await seedPayments(client, 300, { start: "now() - interval '650 days'" });
    // Of releases before the hash with a key; an entry behind it needs the same key of the vault.
    const env = { ...sandboxSettings(postgres.url), BASE_URL: 'http://localhost:1' };
    const folder = newFolder();
    const start = (...more: string[]) =>
      startCommand(['archive', '--before', daysAgo(600), '--folder', folder, ...more], env);
    const count = async (from: string) => Number((await client.query(`select count(*) as n from ${from}`)).rows[0].n);
    await work({ client, url: postgres.url, folder, start, count });
    expect(await checkLedger(postgres.url)).toMatchObject({ findings: 0 });
  } finally {
    await client.end();
    await postgres.stop();
  }
}

async function succeeded(running: Running): Promise<string> {
  const { code, output }: CommandResult = await running.ended;
  expect(code, output).toBe(0);
  return output;
}

const filesOf = (folder: string) => readdirSync(folder).filter((name) => name.endsWith('.gz'));
const sha256 = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');

test('payments at rest are archived, all others stay', async () => {
  await withOldPayments(async ({ client, folder, start, count }) => {
    await client.query(
      `insert into unresolved (id, payment_id, transaction_id, merchant_id, kind, reason, amount_minor, currency, action, created_at)
       select gen_random_uuid(), p.id, p.attempt_id, p.merchant_id, 'amount', 'Seed', 1, 'EUR', 'task', now()
         from payments p where p.order_number = 'order-1'`,
    );
    await client.query("update payments set updated_at = now() where order_number = 'order-2'");
    const stays = [
      '24 stay: not in a final state',
      '3 stay: a dispute that was not won',
      '3 stay: an operation in progress',
      '3 stay: a callback or message to send',
      '3 stay: the first payment of a recurring chain',
      '1 stay: an unresolved item',
      '1 stay: changed since the date',
    ];
    const counted = await succeeded(start('--dry', 'on'));
    for (const line of ['262 payments can be archived.', ...stays]) expect(counted).toContain(line);
    expect([filesOf(folder), await count('payments'), await count('archived_payments')]).toEqual([[], 300, 0]);

    // A run that waits for another one names its files when it begins.
    const lock = "hashtext('florin.archive')";
    await client.query(`select pg_advisory_lock(${lock})`);
    const waiting = start('--size', '100');
    await expect.poll(() => count("pg_locks where locktype = 'advisory' and not granted")).toBe(1);
    await client.query('select pg_sleep(2)');
    const { rows: released } = await client.query(`select now() as at, pg_advisory_unlock(${lock})`);
    const output = await succeeded(waiting);
    for (const line of ['262 payments are archived in 3 files.', ...stays]) expect(output).toContain(line);
    expect((filesOf(folder)[0] ?? '') >= released[0].at.toISOString().slice(0, 19).replaceAll(':', '-')).toBe(true);
    expect([await count('payments'), await count('archived_payments')]).toEqual([38, 262]);
    expect(await count('transactions t where not exists (select from payments p where p.id = t.payment_id)')).toBe(0);
    const manifest = readFileSync(join(folder, 'manifest.ndjson'), 'utf8').trim().split('\n');
    const lines = manifest.map((line) => JSON.parse(line));
    expect(lines.map(({ payments, rows }) => payments === rows.payments)).toEqual([true, true, true]);
    for (const { file, sha256: digest } of lines) expect(sha256(join(folder, file))).toBe(digest);
    const { rows } = await client.query("select after, source from audit_entries where action = 'payments.archive'");
    const after = expect.objectContaining({ payments: 262, manifest: sha256(join(folder, 'manifest.ndjson')) });
    expect(rows).toEqual([{ after, source: expect.stringContaining(`${userInfo().username}@${hostname()}`) }]);

    expect(await succeeded(start())).toContain('0 payments are archived in 0 files.');
  });
});

test('the file has the rows as they were in the database', async () => {
  await withOldPayments(async ({ client, url, folder, start }) => {
    const { rows } = await client.query(
      `select p.id, row_to_json(p) as payment, (select json_agg(row_to_json(t)) from transactions t where t.payment_id = p.id) as transactions
         from payments p where order_number = 'order-73'`,
    );
    const [{ id, payment, transactions }] = rows;
    await succeeded(start());
    const show = (wanted: string) =>
      startCommand(['archive', 'show', wanted, '--folder', folder], { DATABASE_URL: url }).ended;
    const { code, output } = await show('order-73');
    expect(code, output).toBe(0);
    expect(await show(id)).toEqual({ code, output });
    const lines = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.payment)).toEqual(lines.map(() => id));
    const rowsOf = (table: string) => lines.filter((line) => line.table === table).map(({ row }) => withoutZone(row));
    expect(rowsOf('payments')).toEqual([withoutZone(payment)]);
    expect(rowsOf('transactions')).toHaveLength(2);
    expect(rowsOf('transactions')).toEqual(expect.arrayContaining(transactions.map(withoutZone)));
    expect(rowsOf('callbacks')).toHaveLength(2);
    expect(rowsOf('callback_attempts')).toHaveLength(2);

    expect((await show('order-none')).code).toBe(1);
    const [file = ''] = filesOf(folder);
    appendFileSync(join(folder, file), 'x');
    expect(await show('order-73')).toMatchObject({ code: 1, output: expect.not.stringContaining('"row"') });
  });
});

/** Rows with their times as instants: the command's connection is in UTC. */
const withoutZone = (row: object) =>
  JSON.parse(JSON.stringify(row), (_, value) =>
    /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value).toISOString() : value,
  );

/** Locks the table of payments, and resolves once the transaction of a run waits for it. */
async function blocked({ client, url }: Seeded, begin: () => Running): Promise<Running> {
  await client.query('begin; lock table payments in exclusive mode');
  const running = begin();
  const other = new Client(url);
  await other.connect();
  const waits = `select 1 from pg_stat_activity where application_name = 'florin-archive' and wait_event_type = 'Lock'`;
  await expect.poll(async () => (await other.query(waits)).rowCount).toBe(1);
  await other.end();
  return running;
}

test('a run that is killed between file and transaction leaves all payments in the database', async () => {
  await withOldPayments(async (seeded) => {
    const { client, folder, start, count } = seeded;
    const running = await blocked(seeded, () => start('--size', '100'));
    const [orphan = ''] = filesOf(folder);
    running.child.kill('SIGKILL');
    await running.ended;
    await client.query('commit');
    expect([await count('payments'), await count('archived_payments')]).toEqual([300, 0]);

    const output = await succeeded(start('--size', '100'));
    expect(output).toContain(`${orphan} of an interrupted run was removed`);
    expect([await count('payments'), await count('archived_payments')]).toEqual([36, 264]);
    expect(filesOf(folder)).toHaveLength(3);
    expect(filesOf(folder)).not.toContain(orphan);
    expect(readFileSync(join(folder, 'manifest.ndjson'), 'utf8')).not.toContain(orphan);
  });
});

test('a run that waits too long for a lock deletes nothing and says so', async () => {
  await withOldPayments(async (seeded) => {
    const { client, start, count } = seeded;
    const running = await blocked(seeded, () => start());
    const { code, output } = await running.ended;
    await client.query('commit');
    expect([code, output]).toEqual([1, expect.stringContaining('Nothing of this batch was deleted; run it again.')]);
    expect([await count('payments'), await count('archived_payments')]).toEqual([300, 0]);
  });
});

test('a run that ended before its entry of the audit log is in the entry of the next one', async () => {
  await withOldPayments(async ({ client, folder, start }) => {
    await succeeded(start());
    await client.query('alter table audit_entries disable trigger user');
    await client.query("delete from audit_entries where action = 'payments.archive'");
    await client.query('alter table audit_entries enable trigger user');
    expect(await succeeded(start())).toContain('0 payments are archived in 0 files.');
    const digest = sha256(join(folder, 'manifest.ndjson'));
    const entries = "select after ->> 'manifest' as manifest from audit_entries where action = 'payments.archive'";
    expect((await client.query(entries)).rows).toEqual([{ manifest: digest }]);
    await succeeded(start());
    expect((await client.query(entries)).rows).toHaveLength(1);
  });
});

test('a payment that changes after its file was written stays', async () => {
  await withOldPayments(async (seeded) => {
    const { client, start, count } = seeded;
    const running = await blocked(seeded, () => start());
    await client.query(
      `update payments set description = 'Changed' where order_number = 'order-1';
       update callbacks set body = 'Sent again' where payment_id = (select id from payments where order_number = 'order-2')`,
    );
    await client.query('commit');
    const output = await succeeded(running);
    expect(output).toContain('262 payments are archived in 1 files.');
    expect(output).toContain('2 stay: changed during the run');
    expect(await count("payments where order_number in ('order-1', 'order-2')")).toBe(2);
    expect(await succeeded(start())).toContain('2 payments are archived in 1 files.');
  });
});

test('a folder of another database is refused, and a date within 550 days', async () => {
  await withOldPayments(async ({ client, folder, start, count }) => {
    await succeeded(start());
    await client.query('truncate archived_payments');
    // Their entries in the ledger, which would be of unknown payments.
    await client.query(`alter table ledger_entries disable trigger user;
      delete from ledger_entries where payment_id not in (select id from payments);
      alter table ledger_entries enable trigger user`);
    const { code, output } = await start().ended;
    expect([code, output]).toEqual([1, expect.stringContaining('it is the archive of another one')]);
    expect(filesOf(folder)).toHaveLength(1);
    const young = await start('--before', daysAgo(549)).ended;
    expect([young.code, young.output]).toEqual([1, expect.stringContaining('Payments younger than 550 days stay')]);
    expect(await count('payments')).toBe(36);
  });
});

/** Makes payments twenty years older, with all of their rows. */
async function age(ids: string[]): Promise<void> {
  const earlier = (column: string) => `${column} = ${column} - interval '20 years'`;
  await expect
    .poll(() => sql('select 1 from callbacks where payment_id = any($1) and due_at is not null', [ids]))
    .toEqual([]);
  for (const [table, id, columns] of [
    ['callback_attempts', 'callback_id in (select id from callbacks where payment_id', ['at']],
    ['callbacks', 'payment_id', ['created_at', 'delivered_at']],
    ['transactions', 'payment_id', ['created_at', 'finished_at']],
    ['payments', 'id', ['created_at', 'updated_at', 'settled_at']],
  ] as const) {
    const closing = id.includes('(') ? ')' : '';
    await sql(`update ${table} set ${columns.map(earlier).join(', ')} where ${id} = any($1)${closing}`, [ids]);
  }
}

const idOf = ({ answer }: Awaited<ReturnType<CardMerchant['sell']>>) =>
  sql('select payment_id from transactions where id = $1', [answer.body.trans_id]).then(([row]) => row.payment_id);

test('an archived payment is found by the search, keeps its order number, and is unknown to requests', async ({
  cardAs,
  florin,
  page,
  context,
}) => {
  const [shop, never] = [cardAs('plain'), cardAs('neverReuses')];
  const settled = await shop.sell();
  const declined = await shop.sell(cardFields.declined);
  const neverAgain = await never.sell(cardFields.declined);
  const ids = await Promise.all([settled, declined, neverAgain].map(idOf));
  await age(ids);
  const folder = newFolder();
  // No other payment of this database is from before 2007.
  const output = await succeeded(startCommand(['archive', '--before', '2007-01-01', '--folder', folder]));
  expect(output).toContain('3 payments are archived in 1 files.');

  const operator = await visitorAs(florin, 'operator');
  const [file] = filesOf(folder);
  const line = { id: ids[0], orderNumber: settled.orderId, amount: '84.50', currency: 'EUR', status: 'Settled', file };
  for (const query of [settled.orderId, ids[0]]) {
    const { body } = await operator.get(`/payments?q=${query}`);
    expect(body).toMatchObject({ rows: [], archived: [line] });
  }
  expect((await operator.get(`/payments?q=${settled.orderId}x`)).body).toMatchObject({ rows: [], archived: [] });
  // Of another merchant.
  expect((await operator.get(`/payments?q=${ids[2]}`)).body).toMatchObject({ rows: [], archived: [] });

  const unknown = await shop.follow('GET_TRANS_STATUS', {
    ...settled,
    transId: '0193b7a1-0000-7000-8000-000000000001',
  });
  const status = await shop.follow('GET_TRANS_STATUS', settled);
  expect([status.status, status.body.error_message]).toEqual([unknown.status, unknown.body.error_message]);

  const again = async (merchant: CardMerchant, orderId: string) => {
    const { status, body } = await merchant.charge('SALE', { order_id: orderId });
    return `${status} ${body.error_message ?? body.result}`;
  };
  expect(await again(shop, settled.orderId)).toBe('400 order_id: Duplicate payment.');
  expect(await again(shop, declined.orderId)).toBe('200 SUCCESS');
  expect(await again(never, neverAgain.orderId)).toBe('400 order_id: Duplicate payment.');

  await signInBrowser(context, florin, 'operator');
  await page.goto(`/dashboard/payments?q=${settled.orderId}`);
  await expect(page.getByRole('heading', { name: 'Archived' })).toBeVisible();
  await expect(page.getByText('84.50 EUR')).toBeVisible();
  await expect(page.getByText(file ?? '')).toBeVisible();
  expect(await violationsOf(page)).toEqual([]);
});
