// A database for servers in production mode: one that was a sandbox's, without what production refuses of it.
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { root } from '../../scripts/project.ts';
import { onConnection, sql } from './database-rows.ts';
import { serverSettings } from './vault.ts';

/** The statements of the documentation that end the access of the demo merchant and the demo users. */
export function demoRemoval(): string {
  const page = readFileSync(join(root, 'docs', 'operations', 'install.md'), 'utf8');
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
  await migrate(address.href);
  const folder = join(root, '.data', 'test');
  mkdirSync(folder, { recursive: true });
  const seed = join(folder, `seed-${name}.mjs`);
  await bundle('e2e/seed/main.ts', seed);
  await run(process.execPath, [seed], { ...settings, DATABASE_URL: address.href, PORT: '1', BASE_URL: '' });
  await onConnection((client) => client.query(demoRemoval()), address.href);
  return { url: address.href, drop: () => sql(`drop database ${name} with (force)`) };
}
