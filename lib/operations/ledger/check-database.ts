/** Checks the ledger of a database in one read-only snapshot, while the service runs. */
import pg from 'pg';
import { formatAmount } from '../../core/money.ts';
import { checkAuditHashes } from './audit-hashes.ts';
import { checkInvariants, type Finding } from './check.ts';
import { checkDays } from './days.ts';
import { type Balance, readTrialBalance } from './trial-balance.ts';

/** The result of a check: every invariant with its violations, and the trial balance. */
export type LedgerCheck = {
  payments: number;
  seconds: number;
  invariants: Finding[];
  /** The number of all violations. */
  findings: number;
  balances: Balance[];
};

/** Checks the invariants on a connection whose transaction has one snapshot. `days`: how many closed days, null for all. */
export async function checkOn(
  client: pg.ClientBase,
  days: number | null,
  memory?: string,
): Promise<Omit<LedgerCheck, 'seconds'>> {
  const invariants = [
    ...(await checkInvariants(client, memory)),
    await checkAuditHashes(client),
    await checkDays(client, days),
  ];
  const balances = await readTrialBalance(client);
  const { rows } = await client.query<{ payments: number }>('select count(*)::int as payments from payments');
  const findings = invariants.reduce((sum, { count }) => sum + count, 0);
  return { payments: rows[0]?.payments ?? 0, invariants, findings, balances };
}

/** Checks the database at `url`. */
export async function checkLedger(url: string): Promise<LedgerCheck> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin-ledger-check' });
  await client.connect();
  const started = Date.now();
  try {
    await client.query('begin isolation level repeatable read read only');
    return { ...(await checkOn(client, null)), seconds: (Date.now() - started) / 1000 };
  } finally {
    await client.end();
  }
}

/** The lines that `florin ledger check` prints. */
export function checkText({ payments, seconds, invariants, findings, balances }: LedgerCheck): string[] {
  const width = Math.max(...invariants.map(({ name }) => name.length));
  return [
    `${payments} payments, checked in ${seconds.toFixed(1)} s`,
    ...invariants.flatMap(({ name, rule, count, rows }) => [
      `${name.padEnd(width)}  ${count}`,
      ...(count > 0 ? [`    ${rule}`, ...rows.map((row) => `    ${JSON.stringify(row)}`)] : []),
    ]),
    'Trial balance, debit balances above zero:',
    ...balances.map(
      ({ currency, account, minor }) =>
        `    ${account.padEnd(20)} ${formatAmount(minor, currency).padStart(18)} ${currency}`,
    ),
    `${invariants.length} invariants, ${findings} findings`,
  ];
}
