// The deployment's settings, for commands that run next to its server.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, directDatabaseUrl, readDotEnv, root, servingPort } from './project.ts';

/**
 * Completes this process's settings like `npm start`, with a maximum number of database connections, and returns a
 * function that stops what was started.
 */
export async function completeSettings(poolSize: number): Promise<() => Promise<void>> {
  process.chdir(root);
  readDotEnv();
  process.env.DATABASE_POOL_SIZE = String(poolSize);
  const file = join(dataFolder, 'vault-key');
  if (!process.env.VAULT_KEY?.trim() && existsSync(file)) process.env.VAULT_KEY = readFileSync(file, 'utf8').trim();
  if (process.env.DATABASE_URL?.trim()) {
    process.env.DATABASE_URL = directDatabaseUrl();
    process.env.DATABASE_POOLER = '';
    return async () => {};
  }
  if (!existsSync(join(dataFolder, 'postgres', 'home.json'))) {
    throw new Error('There is no database: set DATABASE_URL, or start Florin once.');
  }
  const { startPostgres } = await import('./postgres.ts');
  const serving = await servingPort();
  const { url, stop } = await startPostgres({ folder: join(dataFolder, 'postgres') });
  process.env.DATABASE_URL = url;
  return serving === null ? stop : async () => {};
}
