// florin backup and florin restore. The database is DATABASE_URL, or the embedded one. VAULT_KEY is not part of a
// backup: store it elsewhere, or sealed data can't be decrypted.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readBackup } from '../backup/read.ts';
import { writeBackup } from '../backup/write.ts';
import { completeSettings, dataFolder, directDatabaseUrl, readDotEnv, root, step } from '../project.ts';
import { defineCommand } from './command.ts';

function newFolder() {
  const name = new Date().toISOString().slice(0, 19).replaceAll(/[:T]/g, '-');
  return join(dataFolder, 'backups', name);
}

export const backup = defineCommand({
  usage: `florin backup [folder]: writes a backup into a new folder, while the service runs (.data/backups by default).
The database is DATABASE_URL, or the embedded one. VAULT_KEY is not part of a backup: store it separately.`,
  positionals: { least: 0, most: 1 },
  run: async (_values, [given]) => {
    const folder = given ? resolve(given) : newFolder();
    mkdirSync(join(folder, '..'), { recursive: true });
    const end = await completeSettings(1);
    try {
      const { tables } = await step(`Writing ${folder}`, () => writeBackup(directDatabaseUrl() ?? '', folder));
      const rows = Object.values(tables).reduce((sum, table) => sum + table.rows, 0);
      console.log(`${rows} rows of ${Object.keys(tables).length} tables. Store VAULT_KEY separately.`);
    } finally {
      await end();
    }
  },
});

export const restore = defineCommand({
  usage: 'florin restore <folder>: restores a backup into the empty database of DATABASE_URL, and checks its ledger.',
  positionals: { least: 1, most: 1 },
  run: async (_values, [given = '']) => {
    const folder = resolve(given);
    process.chdir(root);
    readDotEnv();
    const url = directDatabaseUrl();
    if (!url) throw new Error('Set DATABASE_URL to the empty database to restore into.');
    const { rows, payments } = await step(`Restoring ${folder}`, () => readBackup(url, folder));
    console.log(`${rows} rows, ${payments} payments, and the ledger check has no findings.`);
  },
});
