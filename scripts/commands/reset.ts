// florin reset: empties the data folder including the embedded database. A database of DATABASE_URL is not touched.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, servingPort } from '../project.ts';
import { defineCommand } from './command.ts';

export const reset = defineCommand({
  usage: 'florin reset: empties the data folder, .data, with the embedded database. A database of DATABASE_URL stays.',
  run: async () => {
    const port = await servingPort();
    if (port !== null) throw new Error(`Florin is serving on port ${port}: stop it first.`);
    const postgres = join(dataFolder, 'postgres');
    if (existsSync(postgres)) {
      const { removePostgres } = await import('../postgres.ts');
      await removePostgres(postgres);
    }
    rmSync(dataFolder, { recursive: true, force: true });
    console.log('The data folder is empty.');
  },
});
