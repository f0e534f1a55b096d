// npm run florin -- ledger self-test [--payments N]: tests the ledger check on a seeded temporary PostgreSQL. An intact
// database has no finding; then each corruption is made in a transaction and rolled back, and exactly its invariants
// must report it. With --payments it measures the check of that many.
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { checkLedger, checkOn } from '../../lib/operations/ledger/check-database.ts';
import { migrate } from '../../scripts/migrate.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { messageOf, root } from '../../scripts/project.ts';
import { corruptions } from './corruptions.ts';
import { seedPayments } from './seed.ts';

const fewPayments = 300;

/** Makes every corruption and compares the violated invariants; `failures` are the deviations from the table. */
export async function runLedgerSelfTest(): Promise<{ corruptions: number; failures: string[] }> {
  return withSeededDatabase(fewPayments, async (client) => {
    const failures: string[] = [];
    const { invariants: whole } = await checkOn(client, null);
    for (const { name, count, rows } of whole.filter(({ count }) => count > 0)) {
      failures.push(`intact database: ${name} reports ${count}: ${JSON.stringify(rows[0])}`);
    }
    const cases = corruptions();
    for (const { name } of whole) {
      if (!cases.some(({ names }) => names.includes(name))) failures.push(`${name}: no corruption tests it`);
    }
    for (const { names, sql } of cases) {
      const reported = await violatedInvariants(client, sql);
      if (reported.sort().join() === names.sort().join()) continue;
      failures.push(`${names.join(' + ')}: reported by ${reported.join(' + ') || 'none'}\n    ${sql}`);
    }
    return { corruptions: cases.length, failures };
  });
}

async function violatedInvariants(client: pg.Client, sql: string): Promise<string[]> {
  await client.query('begin');
  try {
    // As after a failed restore: foreign keys are not enforced.
    await client.query('set local session_replication_role = replica');
    await client.query(sql);
    return (await checkOn(client, null)).invariants.filter(({ count }) => count > 0).map(({ name }) => name);
  } catch (error) {
    return [`(${messageOf(error)})`];
  } finally {
    await client.query('rollback');
  }
}

async function withSeededDatabase<T>(
  payments: number,
  work: (client: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  const postgres = await startTemporaryPostgres();
  const client = new pg.Client({ connectionString: postgres.url });
  try {
    await migrate(postgres.url);
    await client.connect();
    await seedPayments(client, payments);
    return await work(client, postgres.url);
  } finally {
    await client.end().catch(() => {});
    await postgres.stop();
  }
}

async function measure(payments: number) {
  const started = Date.now();
  await withSeededDatabase(payments, async (client, url) => {
    const { rows } = await client.query(
      'select (select count(*) from transactions) as t, (select count(*) from callbacks) as c, (select count(*) from sim_operations) as o',
    );
    const [{ t, c, o }] = rows;
    console.log(`Seeded in ${((Date.now() - started) / 1000).toFixed(0)} s:`);
    console.log(`${payments} payments, ${t} transactions, ${c} callbacks, ${o} operations at the provider.`);
    for (const round of [1, 2, 3]) {
      const { invariants, findings, seconds } = await checkLedger(url);
      console.log(`Check ${round}: ${invariants.length} invariants, ${findings} findings, ${seconds.toFixed(1)} s`);
      if (findings > 0) process.exitCode = 1;
    }
  });
}

async function main() {
  process.chdir(root);
  const { values } = parseArgs({ options: { payments: { type: 'string' } } });
  if (values.payments) return measure(Math.ceil(Number(values.payments) / 100) * 100);
  const { corruptions: count, failures } = await runLedgerSelfTest();
  for (const error of failures) console.log(error);
  console.log(`${count} corruptions, ${failures.length} failures`);
  process.exitCode = failures.length === 0 ? 0 : 1;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
