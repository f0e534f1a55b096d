// npm run chaos -- restore: the restore drill. Writes a backup under load, restores it into an empty PostgreSQL, runs
// the ledger check on it, starts a process on it and pays there. A backup with one changed byte must be rejected; the
// sessions and one-time links of users must be ended.
//   --seconds 10   --seed N
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBackup } from '../../scripts/backup/read.ts';
import { writeBackup } from '../../scripts/backup/write.ts';
import { startTemporaryPostgres } from '../../scripts/postgres.ts';
import { dataFolder } from '../../scripts/project.ts';
import { startCheckoutClients } from './checkout-clients.ts';
import { command, type Result } from './command-line.ts';
import { queryOnce, startEnvironment } from './environment.ts';

/** Runs the drill. */
export async function runRestoreTest({ seconds, seed }: { seconds: number; seed: number }): Promise<Result> {
  const folder = join(dataFolder, 'chaos', `backup-${randomBytes(4).toString('hex')}`);
  const environment = await startEnvironment({ name: 'restore', apps: 1, merchant: { timeoutSeconds: 5 } });
  const other = await startTemporaryPostgres();
  try {
    const traffic = await startCheckoutClients(environment, { clients: 6, seed });
    await new Promise((wake) => setTimeout(wake, seconds * 500));
    await sold(traffic, 5);
    await queryOnce(environment.databaseUrl, signIns);
    const started = performance.now();
    const manifest = await writeBackup(environment.databaseUrl, folder);
    const backupSeconds = (performance.now() - started) / 1000;
    await new Promise((wake) => setTimeout(wake, seconds * 500));
    await traffic.stop();
    const violations = await checkCorruptBackup(other.url, folder);
    const restoring = performance.now();
    const { rows, payments } = await readBackup(other.url, folder);
    const restoreSeconds = (performance.now() - restoring) / 1000;
    violations.push(...(await checkSignIns(other.url)));
    if (payments === 0) violations.push('the backup has no payment');
    if (manifest.tables.payments?.rows !== payments)
      violations.push('the restored payments are not those of the backup');
    const app = await environment.startOn(other.url);
    const next = await startCheckoutClients({ ...environment, apps: [app] }, { clients: 2, seed: seed + 1 });
    await sold(next, 1);
    await next.stop();
    const paid = paidSales(next).length;
    if (paid === 0) violations.push('no payment succeeded on the restored database');
    return { violations, summary: { rows, payments, backupSeconds, restoreSeconds, paidAfterwards: paid } };
  } finally {
    await environment.stop();
    await other.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Traffic = Awaited<ReturnType<typeof startCheckoutClients>>;

const paidSales = ({ acknowledged }: Traffic) =>
  acknowledged.filter(({ action, result }) => action === 'SALE' && result === 'SUCCESS');

/** Waits until `count` customers have paid. */
async function sold(traffic: Traffic, count: number) {
  const until = performance.now() + 60_000;
  while (paidSales(traffic).length < count && performance.now() < until) {
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

// Changes one byte of the payments table's file.
async function checkCorruptBackup(url: string, folder: string): Promise<string[]> {
  const file = join(folder, 'payments.copy.gz');
  const bytes = readFileSync(file);
  const broken = Buffer.from(bytes);
  const middle = Math.floor(broken.length / 2);
  broken.writeUInt8(broken.readUInt8(middle) ^ 1, middle);
  writeFileSync(file, broken);
  const failure = await readBackup(url, folder).then(
    () => null,
    (fault) => fault,
  );
  writeFileSync(file, bytes);
  await resetDatabase(url);
  return failure === null ? ['a corrupt backup was restored'] : [];
}

const resetDatabase = (url: string) => queryOnce(url, 'drop schema public cascade; create schema public');

/** A signed-in user with a link for a new password, and an open invitation. */
const signIns = `
  insert into users (id, name, email, role, updated_at)
  values (gen_random_uuid(), 'Rae Restored', 'rae@restore.example', 'administrator', now());
  insert into user_sessions (id, user_id, token, expires_at, updated_at)
  select id, id, 'restored-token', now() + interval '12 hours', now() from users where email = 'rae@restore.example';
  insert into user_verifications (id, identifier, value, expires_at, updated_at)
  select id, 'reset:restored', id, now() + interval '1 hour', now() from users where email = 'rae@restore.example';
  insert into invitations (id, token_digest, email, name, role, created_at, expires_at)
  values (gen_random_uuid(), 'restored', 'ivo@restore.example', 'Ivo', 'administrator', now(), now() + interval '3 days')`;

async function checkSignIns(url: string): Promise<string[]> {
  const valid = await queryOnce(
    url,
    `select 'a session' as what from user_sessions union all select 'a link for a new password' from user_verifications
      union all select 'an invitation' from invitations where withdrawn_at is null`,
  );
  const users = await queryOnce(url, `select from users where email = 'rae@restore.example'`);
  return [...(users.length === 1 ? [] : ['a user is missing']), ...valid.map(({ what }) => `${what} is valid again`)];
}

await command(import.meta.url, ['seconds'], (options, seed) =>
  runRestoreTest({ seconds: Number(options.seconds ?? 10), seed }),
);
