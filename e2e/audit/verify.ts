// npm run verify:ledger: checks a deployment's ledger against the invariants of invariants.ts in one read-only
// snapshot, while the service runs. Prints every invariant with the number of violating rows and the first of them;
// exits with 1 if there are any. The database is DATABASE_URL, or the embedded one of `npm start`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataFolder, directDatabaseUrl, readDotEnv, root, servingPort } from '../../scripts/project.ts';
import { checkInvariants, type Finding } from './run.ts';

/** The result of a check: the lines to print, and what was counted. */
export type LedgerCheck = {
  lines: string[];
  invariants: number;
  findings: number;
  payments: number;
  seconds: number;
};

/** Checks the database at `url`. */
export async function verifyLedger(url: string): Promise<LedgerCheck> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'florin-ledger-check' });
  await client.connect();
  const started = Date.now();
  try {
    await client.query('begin isolation level repeatable read read only');
    const results = await checkInvariants(client);
    const { rows } = await client.query<{ payments: number }>('select count(*)::int as payments from payments');
    return { ...report(results), payments: rows[0]?.payments ?? 0, seconds: (Date.now() - started) / 1000 };
  } finally {
    await client.end();
  }
}

function report(results: Finding[]) {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ name, rule, count, rows }) => [
    `${name.padEnd(width)}  ${count}`,
    ...(count > 0 ? [`    ${rule}`, ...rows.map((row) => `    ${JSON.stringify(row)}`)] : []),
  ]);
  const findings = results.reduce((sum, { count }) => sum + count, 0);
  lines.push(`${results.length} invariants, ${findings} findings`);
  return { lines, invariants: results.length, findings };
}

// Starts the embedded database for the duration, unless the service runs on it.
export async function openDatabase(): Promise<{ url: string; stop: () => Promise<void> }> {
  const url = directDatabaseUrl();
  if (url) return { url, stop: async () => {} };
  const folder = join(dataFolder, 'postgres');
  if (!existsSync(join(folder, 'home.json'))) {
    throw new Error('There is no database: set DATABASE_URL, or start Florin once.');
  }
  const { startPostgres } = await import('../../scripts/postgres.ts');
  const serving = await servingPort();
  const postgres = await startPostgres({ folder });
  return { url: postgres.url, stop: serving === null ? postgres.stop : async () => {} };
}

async function main() {
  process.chdir(root);
  readDotEnv();
  const { url, stop } = await openDatabase();
  try {
    const { lines, findings, payments, seconds } = await verifyLedger(url);
    console.log([`${payments} payments, checked in ${seconds.toFixed(1)} s`, ...lines].join('\n'));
    process.exitCode = findings === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
