// Finds the rows of archived payments in their files.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { paymentOf, readFile, readManifest } from './files.ts';

const isId = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The rows of the archived payments with this id or order number, as lines of JSON. */
export async function showArchived(url: string, folder: string, wanted: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'florin-archive' });
  await client.connect();
  try {
    const { rows } = await client.query<{ file: string; ids: string[] }>(
      `select file, array_agg(id::text) as ids from archived_payments
        where order_number = $1 or id = $2::uuid group by file order by file`,
      [wanted, isId(wanted) ? wanted : null],
    );
    const lines: string[] = [];
    for (const { file, ids } of rows) lines.push(...(await linesOf(folder, file, ids)));
    return lines;
  } finally {
    await client.end();
  }
}

async function linesOf(folder: string, file: string, ids: string[]): Promise<string[]> {
  if (!existsSync(join(folder, file)))
    throw new Error(`${join(folder, file)} is missing: name its folder with --folder.`);
  const line = readManifest(folder).find((each) => each.file === file);
  if (!line) throw new Error(`The manifest of ${folder} does not have ${file}.`);
  const lines: string[] = [];
  const digest = await readFile(folder, file, (text) => {
    if (ids.includes(paymentOf(text))) lines.push(text);
  });
  if (digest !== line.sha256)
    throw new Error(`${join(folder, file)} is damaged: its SHA-256 is not that of the manifest.`);
  return lines;
}
