// A database for servers in production mode: one that was a sandbox's, without what production refuses of it.
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

/** A database beside that of the server under test, with the merchants and users of the tests; `drop` removes it. */
export async function createProductionDatabase() {
  const settings = serverSettings();
  const name = `production_${randomBytes(6).toString('hex')}`;
  await sql(`create database ${name}`);
  const address = new URL(settings.DATABASE_URL ?? '');
  address.pathname = `/${name}`;
  const { href: url } = address;
  const migrated = await startCommand(['migrate'], { DATABASE_URL: url }).ended;
  if (migrated.code !== 0) throw new Error(migrated.output);
  const { seed } = JSON.parse(process.env.FLORIN_SERVER ?? '{}') as { seed: string };
  await run(process.execPath, [seed], { env: { ...process.env, ...settings, DATABASE_URL: url, PORT: '1' } });
  await onConnection((client) => client.query(demoRemoval()), url);
  return { url, drop: () => sql(`drop database ${name} with (force)`) };
}
