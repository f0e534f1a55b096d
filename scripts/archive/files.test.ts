import { createHash } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import {
  fileName,
  lineOf,
  manifestDigest,
  paymentOf,
  readFile,
  readManifest,
  writeFile,
  writeManifest,
} from './files.ts';

const folder = mkdtempSync(join(tmpdir(), 'florin-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const payment = '0193b7a1-0000-7000-8000-000000000001';
const rows = [
  '{"id":1,"amount_minor":9007199254740993,"text":"a\\nb\\u2028"}',
  '{"sealed":"\\\\x00ff","note":"zł \u2028"}',
];
const lines = rows.map((row) => lineOf('payments', payment, row));

async function* each() {
  yield* lines;
}

describe('a file of the archive', () => {
  it('has a name by the start of the run, in the order of the files', () => {
    const start = new Date('2026-11-28T20:35:06.855Z');
    expect(fileName(start, 1)).toBe('2026-11-28T20-35-06-0001.ndjson.gz');
    expect(fileName(start, 9) < fileName(start, 10)).toBe(true);
  });

  it('has the lines as written, and the digest of its bytes', async () => {
    const digest = await writeFile(folder, 'one.ndjson.gz', each());
    const bytes = readFileSync(join(folder, 'one.ndjson.gz'));
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(digest);
    expect(gunzipSync(bytes).toString()).toBe(lines.join(''));
    const read: string[] = [];
    expect(await readFile(folder, 'one.ndjson.gz', (line) => read.push(line))).toBe(digest);
    expect(read).toEqual(lines.map((line) => line.trimEnd()));
    expect(read.map(paymentOf)).toEqual([payment, payment]);
    expect(readdirSync(folder)).toEqual(['one.ndjson.gz']);
  });

  it('never replaces another one', async () => {
    const before = readFileSync(join(folder, 'one.ndjson.gz'));
    await expect(writeFile(folder, 'one.ndjson.gz', each())).rejects.toThrow('exists already');
    expect(readFileSync(join(folder, 'one.ndjson.gz')).equals(before)).toBe(true);
  });

  it('is not read as if it were whole where its end is missing', async () => {
    await writeFile(folder, 'cut.ndjson.gz', each());
    truncateSync(join(folder, 'cut.ndjson.gz'), 40);
    await expect(readFile(folder, 'cut.ndjson.gz', () => {})).rejects.toThrow();
  });

  it('is listed in the manifest', async () => {
    expect(readManifest(join(folder, 'none'))).toEqual([]);
    const line = { file: 'one.ndjson.gz', sha256: 'a', payments: 1, rows: { payments: 1 }, first: 'b', last: 'c' };
    await writeManifest(folder, [line]);
    await writeManifest(folder, [...readManifest(folder), { ...line, file: 'two.ndjson.gz' }]);
    expect(readManifest(folder).map(({ file }) => file)).toEqual(['one.ndjson.gz', 'two.ndjson.gz']);
    const before = manifestDigest(folder);
    appendFileSync(join(folder, 'manifest.ndjson'), '\n');
    expect(manifestDigest(folder)).not.toBe(before);
  });
});
