// Databases of single tests, for servers in the sandbox and in production mode.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { onConnection, sql } from './database-rows.ts';
import { serverSettings, startCommand } from './vault.ts';

const run = promisify(execFile);

/** The statements of the documentation that end the access of the demo merchant and the demo users. */
export function demoRemoval(): string {
  const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'operations', 'install.md'), 'utf8');
  const [, statements] = /^```sql\n(.*?)^```$/ms.exec(page) ?? [];
  if (!statements) throw new Error('docs/operations/install.md has no statements');
  return statements;
}

/**
 * A database beside that of the server under test, with the merchants and users of the tests, whose MIDs lead to the
 * simulator on `port`; `drop` removes it.
 */
export async function createTestDatabase(port: string) {
  const settings = serverSettings();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await sql(`create database ${name}`);
  const address = new URL(settings.DATABASE_URL ?? '');
  address.pathname = `/${name}`;
  const { href: url } = address;
  const migrated = await startCommand(['migrate'], { DATABASE_URL: url }).ended;
  if (migrated.code !== 0) throw new Error(migrated.output);
  const { seed } = JSON.parse(process.env.FLORIN_SERVER ?? '{}') as { seed: string };
  await run(process.execPath, [seed], { env: { ...process.env, ...settings, DATABASE_URL: url, PORT: port } });
  return { url, drop: () => sql(`drop database ${name} with (force)`) };
}

/** {@link createTestDatabase}, without what production refuses. */
export async function createProductionDatabase() {
  const database = await createTestDatabase('1');
  await onConnection((client) => client.query(demoRemoval()), database.url);
  return database;
}
