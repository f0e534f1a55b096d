// The database of the server under test: every row as text, for tests of what must not be stored, and a locked row, for
// tests of a slow database.
import { execFileSync, spawn } from 'node:child_process';
import { serverSettings } from './vault';

const script = `
import pg from 'pg';
const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
const tables = await client.query("select tablename from pg_tables where schemaname = 'public'");
for (const { tablename } of tables.rows) {
  const { rows } = await client.query('select row_to_json(t)::text as line from "' + tablename + '" t');
  for (const { line } of rows) console.log(line);
}
await client.end();`;

/** All rows, one per line; bytes are hexadecimal. */
export function allRows(): string {
  const env = { ...process.env, ...serverSettings() };
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
}

const holding = `
import pg from 'pg';
const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
await client.query('begin');
await client.query('select 1 from payments where id = $1 for update', [process.argv[1]]);
console.log('held');`;

/** Locks a payment's row like a slow statement. Resolves once it is locked, with the function that releases it. */
export async function lockRow(paymentId: string): Promise<() => void> {
  const env = { ...process.env, ...serverSettings() };
  const args = ['--input-type=module', '--eval', holding, paymentId];
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise<void>((locked, failed) => {
    child.stdout.once('data', () => locked());
    child.once('exit', (code) => failed(new Error(`the row was not locked: ${code}`)));
  });
  return () => child.kill('SIGKILL');
}

const copying = `
import pg from 'pg';
const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
const [id, fresh, order] = process.argv.slice(1);
await client.query('create temporary table copied as select * from payments where id = $1', [id]);
await client.query('update copied set id = $1, order_number = $2', [fresh, order]);
const { rowCount } = await client.query('insert into payments select * from copied');
await client.end();
if (rowCount !== 1) process.exit(1);`;

/** Copies a payment under another id and order number, to test ids that rarely occur. */
export function copyPayment(paymentId: string, fresh: string, order: string): void {
  const env = { ...process.env, ...serverSettings() };
  execFileSync(process.execPath, ['--input-type=module', '--eval', copying, paymentId, fresh, order], { env });
}

const running = `
import pg from 'pg';
const client = new pg.Client(process.env.DATABASE_URL);
await client.connect();
const { rows } = await client.query(process.argv[1], JSON.parse(process.argv[2]));
console.log(JSON.stringify(rows));
await client.end();`;

/** Runs one statement on the database of the server under test; returns its rows. */
// biome-ignore lint/suspicious/noExplicitAny: the caller's statement decides the shape of the rows.
export function runSql(text: string, values: unknown[] = []): any[] {
  const env = { ...process.env, ...serverSettings() };
  const args = ['--input-type=module', '--eval', running, text, JSON.stringify(values)];
  return JSON.parse(execFileSync(process.execPath, args, { env, encoding: 'utf8' }));
}
