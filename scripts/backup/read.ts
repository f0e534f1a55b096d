// Restores a backup into an empty database. Everything is verified: the hash of every table before the commit, the
// migrations against this version, and the ledger afterwards.
import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import pg from 'pg';
import copy from 'pg-copy-streams';
import { checkLedger, checkText } from '../../lib/operations/ledger/check-database.ts';
import { migrate } from '../migrate.ts';
import { root } from '../project.ts';
import { format, hashing, type Manifest, tablesOf } from './write.ts';

/** The manifest of a backup; throws if the folder has none, or one of another version. */
function readManifest(from: string): Manifest {
  const file = join(from, 'manifest.json');
  if (!existsSync(file)) throw new Error(`There is no backup in ${from}.`);
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'));
  if (manifest.format !== format) throw new Error(`The backup has the format ${manifest.format}, not ${format}.`);
  const known = readdirSync(join(root, 'prisma', 'migrations'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const strange = manifest.migrations.filter((name) => !known.includes(name));
  const missing = known.filter((name) => !manifest.migrations.includes(name));
  if (strange.length + missing.length > 0) {
    throw new Error(
      `The backup is of another version (${[...strange, ...missing].join(', ')}): restore it with that version, and migrate then.`,
    );
  }
  return manifest;
}

/** The tables whose triggers post entries of the ledger. */
const posting = ['transactions', 'unresolved'];

/** Restores the backup in `from` into the empty database at `url`. */
export async function readBackup(url: string, from: string): Promise<{ rows: number; payments: number }> {
  const manifest = readManifest(from);
  const client = new pg.Client({ connectionString: url, application_name: 'florin-restore' });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::int as count from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
    );
    if (rows[0]?.count !== 0) throw new Error('The database is not empty: restore into an empty one.');
    await migrate(url);
    await client.query('begin');
    const names = await tablesOf(client);
    const lost = Object.keys(manifest.tables).filter((name) => !names.includes(name));
    if (lost.length > 0) throw new Error(`The backup has unknown tables: ${lost.join(', ')}.`);
    await client.query('delete from _prisma_migrations');
    // The backup has the entries of the ledger that these triggers would post again.
    for (const name of posting) await client.query(`alter table "${name}" disable trigger user`);
    for (const name of names) await copyIn(client, name, from, manifest.tables[name]);
    for (const name of posting) await client.query(`alter table "${name}" enable trigger user`);
    await raiseSequences(client);
    await endSignIns(client);
    await client.query('commit');
    await client.query('analyze');
  } finally {
    await client.end();
  }
  const check = await checkLedger(url);
  if (check.findings > 0)
    throw new Error(`The ledger check of the backup has findings:\n${checkText(check).join('\n')}`);
  const count = Object.values(manifest.tables).reduce((sum, table) => sum + table.rows, 0);
  return { rows: count, payments: check.payments };
}

async function copyIn(client: pg.Client, name: string, from: string, wanted: Manifest['tables'][string] | undefined) {
  if (!wanted) throw new Error(`The backup lacks the table ${name}.`);
  const { hash, hashed } = hashing();
  const target = client.query(copy.from(`copy "${name}" from stdin (format binary)`));
  await pipeline(createReadStream(join(from, `${name}.copy.gz`)), createGunzip(), hashed, target);
  if (target.rowCount !== wanted.rows || hash.digest('hex') !== wanted.sha256) {
    throw new Error(`The table ${name} of the backup is damaged: nothing was restored.`);
  }
}

// Sessions and links that were ended after the backup would be valid again.
async function endSignIns(client: pg.Client) {
  await client.query('delete from user_sessions');
  await client.query('delete from user_verifications');
  await client.query('update invitations set withdrawn_at = now() where accepted_at is null and withdrawn_at is null');
}

// Sequences continue after the highest existing value.
async function raiseSequences(client: pg.Client) {
  const { rows } = await client.query<{ sequence: string; table: string; column: string }>(
    `select s.relname as sequence, t.relname as "table", a.attname as "column"
       from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
       join pg_class t on t.oid = d.refobjid join pg_attribute a on a.attrelid = t.oid and a.attnum = d.refobjsubid
      where s.relkind = 'S' and s.relnamespace = current_schema()::regnamespace`,
  );
  for (const { sequence, table, column } of rows) {
    await client.query(
      `select setval('"${sequence}"', greatest((select coalesce(max("${column}"), 0) from "${table}"), 1),
                     (select count(*) > 0 from "${table}"))`,
    );
  }
}
