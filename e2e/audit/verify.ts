// Checks a ledger against the invariants of invariants.ts in one read-only snapshot, while the service runs.
import { checkInvariants, type Finding } from './run.ts';

/** The result of a check: the lines to print, and what was counted. */
export type LedgerCheck = { lines: string[]; invariants: number; findings: number; payments: number; seconds: number };

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
