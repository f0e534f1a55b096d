// npm run backup -- [folder]            writes a backup into a new folder, while the service runs
// npm run backup -- --restore folder    restores it into an empty database
// The database is DATABASE_URL, or the embedded one. VAULT_KEY is not part of a backup: store it elsewhere, or sealed
// data can't be decrypted.
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
const argument = positionals[0] && resolve(positionals[0]);
process.chdir(root);
readDotEnv();
try {
  if (values.restore) {
    if (!argument) throw new Error('The folder is missing: npm run backup -- --restore folder');
    const url = directDatabaseUrl();
    if (!url) throw new Error('Set DATABASE_URL to the empty database to restore into.');
    const { rows, payments } = await step(`Restoring ${argument}`, () => readBackup(url, argument));
    console.log(`${rows} rows, ${payments} payments, and the ledger check has no findings.`);
  } else {
    const folder = argument ?? newFolder();
    mkdirSync(join(folder, '..'), { recursive: true });
    const { url, stop } = await openDatabase();
    try {
      const { tables } = await step(`Writing ${folder}`, () => writeBackup(url, folder));
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      console.log(`${rows} rows of ${Object.keys(tables).length} tables. Store VAULT_KEY separately.`);
    } finally {
      await stop();
    }
  }
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
