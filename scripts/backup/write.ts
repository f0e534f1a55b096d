// Writes a consistent snapshot of the database into a folder while the service runs: every table in PostgreSQL's binary
// format, compressed, with a manifest of counts and hashes. Sealed data stays sealed: without VAULT_KEY the folder is
// useless, and incomplete.
import { createHash } from 'node:crypto';
import { createWriteStream, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import pg from 'pg';
import copy from 'pg-copy-streams';

export const format = 1;

type Table = { rows: number; sha256: string };
export type Manifest = { format: number; at: string; migrations: string[]; tables: Record<string, Table> };

/** The tables of a database, referenced ones first. Unlogged ones are not kept: they are empty after a crash too. */
export async function tablesOf(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string; needs: string[] }>(
    `select c.relname::text as name, array_remove(array_agg(distinct f.relname::text), null) as needs
       from pg_class c
       left join pg_constraint k on k.conrelid = c.oid and k.contype = 'f' and k.confrelid <> c.oid
       left join pg_class f on f.oid = k.confrelid
      where c.relkind = 'r' and c.relpersistence = 'p' and c.relnamespace = current_schema()::regnamespace group by 1 order by 1`,
  );
  const ordered: string[] = [];
  let left = rows;
  while (left.length > 0) {
    const next = left.filter(({ needs }) => needs.every((name) => ordered.includes(name)));
    if (next.length === 0) throw new Error(`These tables refer to one another: ${left.map(({ name }) => name)}`);
    ordered.push(...next.map(({ name }) => name));
    left = left.filter(({ name }) => !ordered.includes(name));
  }
  return ordered;
}

/** Backs up the database at `url` into the new folder `to`; an unfinished backup is removed. */
export async function writeBackup(url: string, to: string): Promise<Manifest> {
  if (existsSync(to)) throw new Error(`${to} exists already.`);
  const partial = `${to}.partial`;
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  const client = new pg.Client({ connectionString: url, application_name: 'florin-backup' });
  await client.connect();
  try {
    // One snapshot for all tables, however long the copying takes.
    await client.query('begin isolation level repeatable read read only');
    const { rows: when } = await client.query<{ at: Date }>('select now() as at');
    const { rows: migrations } = await client.query<{ name: string }>(
      'select migration_name as name from _prisma_migrations where finished_at is not null order by 1',
    );
    const tables: Record<string, Table> = {};
    for (const name of await tablesOf(client)) tables[name] = await copyOut(client, name, partial);
    const at = (when[0]?.at ?? new Date()).toISOString();
    const manifest: Manifest = { format, at, migrations: migrations.map(({ name }) => name), tables };
    writeFileSync(join(partial, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
    renameSync(partial, to);
    return manifest;
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  } finally {
    await client.end();
  }
}

/** A pass-through stream with the hash of its data. */
export function hashing() {
  const hash = createHash('sha256');
  const hashed = new Transform({
    transform(chunk, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
  });
  return { hash, hashed };
}

async function copyOut(client: pg.Client, name: string, folder: string): Promise<Table> {
  const { hash, hashed } = hashing();
  const source = client.query(copy.to(`copy "${name}" to stdout (format binary)`));
  const file = createWriteStream(join(folder, `${name}.copy.gz`), { mode: 0o600 });
  await pipeline(source, hashed, createGzip({ level: 4 }), file);
  return { rows: source.rowCount, sha256: hash.digest('hex') };
}
