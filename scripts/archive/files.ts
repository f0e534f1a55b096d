// The files of an archive, in one folder: gzip-compressed lines of JSON, one for each row, and manifest.ndjson with a line
// for each file. A file is written under another name, flushed and renamed; then its line is flushed; and only then are
// its rows deleted from the database, in one transaction that also inserts into archived_payments. A crash before that
// transaction leaves a file that no row of archived_payments names. The next run removes it (removeOrphans), after it
// has found all payments of the file in the database, and writes them again.
import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type pg from 'pg';
import { hashing } from '../backup/write.ts';

/** A line of the manifest. `first` and `last` are the creation times of its oldest and newest payment. */
export type ManifestLine = {
  file: string;
  sha256: string;
  payments: number;
  rows: Record<string, number>;
  first: string;
  last: string;
};

const ending = '.ndjson.gz';
const partial = '.partial';
const manifestOf = (folder: string) => join(folder, 'manifest.ndjson');

/** A line of a file: the table, the payment to which the row belongs, and the row as the database writes it. */
export const lineOf = (table: string, payment: string, row: string): string =>
  `{"table":"${table}","payment":"${payment}","row":${row}}\n`;

/** The name of the `number`th file of a run. */
export const fileName = (start: Date, number: number): string =>
  `${start.toISOString().slice(0, 19).replaceAll(':', '-')}-${String(number).padStart(4, '0')}${ending}`;

/** Writes a new file of the archive; returns the SHA-256 of its bytes. Throws if there is one of this name. */
export async function writeFile(folder: string, file: string, lines: AsyncIterable<string>): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const path = join(folder, file);
  if (existsSync(path)) throw new Error(`${path} exists already. Run the command again.`);
  const { hash, hashed } = hashing();
  // `flush`: the bytes are on the disk before the stream closes.
  const target = createWriteStream(path + partial, { mode: 0o600, flush: true });
  await pipeline(Readable.from(lines), createGzip(), hashed, target);
  await rename(path + partial, path);
  await flushFolder(folder);
  return hash.digest('hex');
}

async function flushFolder(folder: string) {
  const handle = await open(folder, 'r');
  await handle.sync().finally(() => handle.close());
}

/** The manifest of a folder; empty where there is none. */
export function readManifest(folder: string): ManifestLine[] {
  if (!existsSync(manifestOf(folder))) return [];
  const lines = readFileSync(manifestOf(folder), 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as ManifestLine);
}

/** SHA-256 over the manifest. */
export const manifestDigest = (folder: string): string =>
  createHash('sha256')
    .update(readFileSync(manifestOf(folder)))
    .digest('hex');

/** Replaces the manifest in one step. */
export async function writeManifest(folder: string, lines: ManifestLine[]): Promise<void> {
  const path = manifestOf(folder);
  const handle = await open(path + partial, 'w', 0o600);
  try {
    await handle.writeFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(path + partial, path);
  await flushFolder(folder);
}

/** The lines of a file, as texts without their line break, and the SHA-256 of its bytes. */
export async function readFile(folder: string, file: string, see: (line: string) => void): Promise<string> {
  const { hash, hashed } = hashing();
  let rest = '';
  // Not by node:readline, which also ends a line at U+2028 of a payer's text.
  for await (const text of gunzipped(join(folder, file), hashed)) {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) see(line);
  }
  return hash.digest('hex');
}

async function* gunzipped(path: string, hashed: ReturnType<typeof hashing>['hashed']): AsyncGenerator<string> {
  const unzipped = createGunzip();
  const done = pipeline(createReadStream(path), hashed, unzipped);
  // Its error also ends the reading below.
  done.catch(() => {});
  yield* unzipped.setEncoding('utf8');
  await done;
}

/** The payment of a line, without reading its row. */
export const paymentOf = (line: string): string => /^\{"table":"\w+","payment":"([\w-]+)"/.exec(line)?.[1] ?? '';

/** Removes what an interrupted run has left in the folder; returns the names of the removed files. */
export async function removeOrphans(client: pg.ClientBase, folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder);
  const ours = (name: string) => [ending, basename(manifestOf(folder))].some((own) => name.endsWith(own + partial));
  for (const name of names.filter(ours)) rmSync(join(folder, name));
  const files = names.filter((name) => name.endsWith(ending)).sort();
  const { rows } = await client.query<{ file: string }>(
    'select distinct file from archived_payments where file = any($1::text[])',
    [files],
  );
  const orphans = files.filter((file) => !rows.some((row) => row.file === file));
  for (const file of orphans) await requirePayments(client, folder, file);
  if (orphans.length === 0) return [];
  // Lines of files that were moved elsewhere stay.
  await writeManifest(
    folder,
    readManifest(folder).filter(({ file }) => !orphans.includes(file)),
  );
  for (const file of orphans) await rm(join(folder, file));
  return orphans;
}

// A folder of another database, or of this one before an older backup was restored, keeps its files.
async function requirePayments(client: pg.ClientBase, folder: string, file: string) {
  const ids = new Set<string>();
  await readFile(folder, file, (line) => ids.add(paymentOf(line)));
  const { rows } = await client.query<{ count: number }>(
    `select count(*)::int as count from unnest($1::uuid[]) w(id)
      where exists (select 1 from payments p where p.id = w.id) or exists (select 1 from archived_payments a where a.id = w.id)`,
    [[...ids]],
  );
  if (rows[0]?.count === ids.size) return;
  throw new Error(
    `${join(folder, file)} has payments that this database does not know: it is the archive of another one.`,
  );
}
