// npm run verify:ledger: checks the books of a deployment against the invariants of audit/invariants.mjs, in one read-only
// snapshot beside the running service. Prints every invariant with the number of rows that break it and the first of
// those; ends with 1 when there are any. The database is DATABASE_URL, else the embedded one of `npm start`.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataFolder, directDatabaseUrl, readDotEnv, requireNode, root, servingPort } from '../../scripts/project.mjs';
import { checkInvariants } from './run.mjs';

/**
 * Audits the database at `url`.
 * @param {string} url
 * @returns {Promise<{ lines: string[], invariants: number, findings: number, payments: number, seconds: number }>}
 */
export async function verifyLedger(url) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, application_name: 'florin-audit' });
  await client.connect();
  const started = Date.now();
  try {
    await client.query('begin isolation level repeatable read read only');
    const results = await checkInvariants(client);
    const { rows } = await client.query('select count(*)::int as payments from payments');
    return { ...report(results), payments: rows[0].payments, seconds: (Date.now() - started) / 1000 };
  } finally {
    await client.end();
  }
}

function report(results) {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.flatMap(({ name, rule, count, rows }) => [
    `${name.padEnd(width)}  ${count}`,
    ...(count > 0 ? [`    ${rule}`, ...rows.map((row) => `    ${JSON.stringify(row)}`)] : []),
  ]);
  const findings = results.reduce((sum, { count }) => sum + count, 0);
  lines.push(`${results.length} invariants, ${findings} findings`);
  return { lines, invariants: results.length, findings };
}

// The embedded database is started for as long as this takes, unless the service is running on it.
export async function openDatabase() {
  const url = directDatabaseUrl();
  if (url) return { url, stop: async () => {} };
  const folder = join(dataFolder, 'postgres');
  if (!existsSync(join(folder, 'home.json'))) {
    throw new Error('There is no database here: set DATABASE_URL, or start Florin once.');
  }
  const { startPostgres } = await import('../../scripts/postgres.mjs');
  const serving = await servingPort();
  const postgres = await startPostgres({ folder });
  return { url: postgres.url, stop: serving === null ? postgres.stop : async () => {} };
}

async function main() {
  requireNode();
  process.chdir(root);
  readDotEnv();
  const { url, stop } = await openDatabase();
  try {
    const { lines, findings, payments, seconds } = await verifyLedger(url);
    console.log([`${payments} payments, audited in ${seconds.toFixed(1)} s`, ...lines].join('\n'));
    process.exitCode = findings === 0 ? 0 : 1;
  } finally {
    await stop();
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
