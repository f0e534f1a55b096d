// Settlement reports on a database of their own, by the command: a deployment with payments, the lines that its provider
// reports, and what an import leaves.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { checkLedger } from '../../lib/operations/ledger/check-database.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { seedPayments } from '../audit/seed.ts';
import { expect } from '../support/test.ts';
import { startCommand } from '../support/vault.ts';

const header = 'reference,provider_reference,type,gross,fee,net,currency,date,batch,arn,rrn';
export const fee = 30;

export type Entry = {
  movement: string;
  transaction: string;
  order: string;
  minor: number;
  currency: string;
  day: string;
};
type Changes = { reference?: string; type?: string; minor?: number; currency?: string; fee?: number; batch?: string };
export type Deployment = { client: Client; url: string; mid: string; entries: Entry[] };

const types: Record<string, string> = {
  settlement: 'sale',
  refund: 'refund',
  return: 'refund',
  chargeback: 'chargeback',
};
export const decimal = (minor: number) => `${minor < 0 ? '-' : ''}${(Math.abs(minor) / 100).toFixed(2)}`;

/** The line of an entry as its provider reports it; `changes` are the planted ones. */
export function lineOf(entry: Entry, changes: Changes = {}): string {
  const { reference = entry.transaction, type = types[entry.movement] ?? '', minor = entry.minor } = changes;
  const kept = changes.fee ?? fee;
  const net = (type === 'sale' ? minor : -minor) - kept;
  const amounts = [decimal(minor), decimal(kept), decimal(net), changes.currency ?? entry.currency];
  return [reference, '', type, ...amounts, entry.day, changes.batch ?? '', '', ''].join(',');
}

/** Runs `work` on a migrated database with this many payments. */
export async function withDeployment(payments: number, work: (deployment: Deployment) => Promise<void>): Promise<void> {
  const postgres = await startTemporaryPostgres();
  const client = new Client(postgres.url);
  try {
    await migrate(postgres.url);
    await client.connect();
    await seedPayments(client, payments, { secondsBetween: 60 });
    const { rows: entries } = await client.query(
      `select e.movement, e.transaction_id as transaction, p.order_number as order, e.amount_minor::int as minor, e.currency,
              to_char(e.posted_at at time zone 'UTC', 'YYYY-MM-DD') as day
         from ledger_entries e join payments p on p.id = e.payment_id
        where e.movement in ('settlement', 'refund', 'return', 'chargeback') order by e.id`,
    );
    const { rows } = await client.query(
      'select mid_id as mid from ledger_entries group by 1 order by count(*) desc limit 1',
    );
    await work({ client, url: postgres.url, mid: rows[0].mid, entries });
  } finally {
    await client.end();
    await postgres.stop();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'florin-reports-'));

/** Writes a report with these lines. */
export function fileOf(name: string, lines: string[]): string {
  const file = join(folder, name);
  writeFileSync(file, [header, ...lines, ''].join('\n'));
  return file;
}

/** Starts the command that imports a file. */
export const start = ({ url, mid }: Deployment, file: string) =>
  startCommand(['reconcile', 'import', file, '--account', mid], { DATABASE_URL: url });

/** Sets the mapping of the provider contract with these members. */
export async function setMapping({ client, mid }: Deployment, members: object): Promise<void> {
  const columns = Object.fromEntries(
    header.split(',').map((name) => [name === 'provider_reference' ? 'providerReference' : name, name]),
  );
  await client.query(
    `insert into settlement_mappings values ($1, $2, 1, now())
         on conflict (mid_id) do update set settings = excluded.settings, version = settlement_mappings.version + 1`,
    [mid, JSON.stringify({ columns, types: {}, ...members })],
  );
}

export const setFeeRule = (deployment: Deployment): Promise<void> =>
  setMapping(deployment, { fees: [{ type: 'sale', currency: 'EUR', percent: '0', fixed: '0.30', tolerance: '0.01' }] });

/** The open differences, as their kind and reference. */
export const differencesOf = async ({ client }: Deployment) =>
  (
    await client.query(
      `select d.kind || ' ' || coalesce(l.reference, l.batch, d.transaction_id::text) as text from settlement_differences d
         left join settlement_lines l on l.id = d.line_id where d.state = 'open' order by 1`,
    )
  ).rows.map(({ text }) => text);

/** The check of the ledger has no finding. */
export const expectSound = async ({ url }: Deployment) => {
  const { invariants } = await checkLedger(url);
  expect(invariants.filter(({ count }) => count > 0)).toEqual([]);
};

/** The entries that an import posts, as texts. */
export const postedBy = async ({ client }: Deployment) =>
  (
    await client.query(
      `select e.movement || ' ' || e.amount_minor || ' ' || l.number as text from ledger_entries e
         join settlement_lines l on l.id = e.transaction_id where e.payment_id is null order by 1`,
    )
  ).rows.map(({ text }) => text);

/** Imports a report with these lines, which has to succeed. */
export async function imported(deployment: Deployment, name: string, lines: string[]): Promise<void> {
  const { code, output } = await start(deployment, fileOf(name, lines)).ended;
  expect([code, output]).toEqual([0, expect.stringContaining('is imported')]);
}

/** Adjusts the open differences of a kind, as users do in the dashboard. */
export async function adjust({ client }: Deployment, kind: string): Promise<void> {
  await client.query(
    `with closed as (
       update settlement_differences set state = 'closed', resolution = 'adjusted', closed_by = 'user:1', closed_at = now()
        where kind = $1 and state = 'open' returning *),
     sides as (
       select c.*, v.* from closed c cross join lateral (values
         ('adjustment', 'merchant_payable', c.delta_minor),
         (case when c.fee_minor > 0 then 'fee' else 'fee_return' end, 'fees', -c.fee_minor),
         ('bank_payout', 'bank', -c.bank_minor)) v(movement, account, minor))
     insert into ledger_entries (movement, debit, credit, amount_minor, currency, merchant_id, mid_id, transaction_id)
     select movement::"LedgerMovement", (case when minor > 0 then 'provider_receivable' else account end)::"LedgerAccount",
            (case when minor > 0 then account else 'provider_receivable' end)::"LedgerAccount", abs(minor),
            coalesce(reported_currency, expected_currency), merchant_id, mid_id, id
       from sides where minor <> 0`,
    [kind],
  );
}

/** The postings of all open differences, as `kind delta fee bank`. */
export const postingsOf = async ({ client }: Deployment): Promise<string[]> =>
  (
    await client.query(
      `select concat_ws(' ', kind, delta_minor, fee_minor, bank_minor) as text from settlement_differences
        where state = 'open' order by 1`,
    )
  ).rows.map(({ text }) => text);

/** The results of all lines, in the order of reports and lines. */
export const resultsOf = async ({ client }: Deployment): Promise<string[]> =>
  (
    await client.query(
      `select l.result || case when l.repeat_of is null then '' else ' silent' end as text
         from settlement_lines l join settlement_reports r on r.id = l.report_id order by r.created_at, r.id, l.number`,
    )
  ).rows.map(({ text }) => text);
