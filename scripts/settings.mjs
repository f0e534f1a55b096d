// The settings of the deployment in this folder, for commands that work beside its server.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, directDatabaseUrl, kept, readDotEnv, requireNode, root, servingPort } from './project.mjs';

/**
 * Completes the settings of this process as `npm start` does, with so many connections to the database at most, and
 * gives the function that ends what had to be started for them.
 */
export async function completeSettings(poolSize) {
  requireNode();
  process.chdir(root);
  readDotEnv();
  process.env.DATABASE_POOL_SIZE = String(poolSize);
  const file = join(dataFolder, 'vault-key');
  if (!process.env.VAULT_KEY?.trim() && existsSync(file)) process.env.VAULT_KEY = kept('vault-key').text;
  if (process.env.DATABASE_URL?.trim()) {
    process.env.DATABASE_URL = directDatabaseUrl();
    process.env.DATABASE_POOLER = '';
    return async () => {};
  }
  if (!existsSync(join(dataFolder, 'postgres', 'home.json'))) {
    throw new Error('There is no database here: set DATABASE_URL, or start Florin once.');
  }
  const { startPostgres } = await import('./postgres.mjs');
  const serving = await servingPort();
  const { url, stop } = await startPostgres({ folder: join(dataFolder, 'postgres') });
  process.env.DATABASE_URL = url;
  return serving === null ? stop : async () => {};
}
