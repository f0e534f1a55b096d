// Every row of the database of the server under test as text, for tests that look for what must not stand there.
import { execFileSync } from 'node:child_process';
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

/** All of them, a line each; bytes are written in hexadecimal. */
export function allRows(): string {
  const env = { ...process.env, ...serverSettings() };
  const args = ['--input-type=module', '--eval', script];
  return execFileSync(process.execPath, args, { env, encoding: 'utf8', maxBuffer: 1024 * 1024 * 1024 });
}
