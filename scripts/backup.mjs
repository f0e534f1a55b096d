// npm run backup -- [folder]            writes all that Florin knows into a new folder, beside the running service
// npm run backup -- --restore folder    reads it back into an empty database
// The database is DATABASE_URL, else the embedded one. VAULT_KEY is in no backup: keep it elsewhere, or nothing that is
// sealed opens again.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../e2e/audit/verify.mjs';
import { readBackup } from './backup/read.mjs';
import { writeBackup } from './backup/write.mjs';
import { step } from './progress.mjs';
import { dataFolder, directDatabaseUrl, readDotEnv, requireNode, root } from './project.mjs';

const { values, positionals } = parseArgs({ options: { restore: { type: 'boolean' } }, allowPositionals: true });

function newFolder() {
  const name = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-');
  return join(dataFolder, 'backups', name);
}

requireNode();
const asked = positionals[0] && resolve(positionals[0]);
process.chdir(root);
readDotEnv();
try {
  if (values.restore) {
    if (!asked) throw new Error('Say which folder: npm run backup -- --restore folder');
    const url = directDatabaseUrl();
    if (!url) throw new Error('Set DATABASE_URL to the empty database that the backup shall be read into.');
    const { rows, payments } = await step(`Restoring ${asked}`, () => readBackup(url, asked));
    console.log(`${rows} rows, ${payments} payments, and the auditor has no findings.`);
  } else {
    const folder = asked ?? newFolder();
    mkdirSync(join(folder, '..'), { recursive: true });
    const { url, stop } = await openDatabase();
    try {
      const { tables } = await step(`Writing ${folder}`, () => writeBackup(url, folder));
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      console.log(`${rows} rows of ${Object.keys(tables).length} tables. Keep VAULT_KEY apart from it.`);
    } finally {
      await stop();
    }
  }
} catch (fault) {
  console.error(fault.message);
  process.exitCode = 1;
}
