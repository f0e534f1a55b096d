// The deployment's settings, for commands that run next to its server, and the check that its database is durable.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, directDatabaseUrl, errorCode, messageOf, readDotEnv, root, servingPort } from './project.ts';

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

/** Rejects a database that can lose committed payments in a power cut. */
export async function requireDurableDatabase(databaseUrl: string): Promise<void> {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database of DATABASE_URL cannot be reached: ${messageOf(error) || errorCode(error)}`);
  }
  try {
    for (const name of ['fsync', 'synchronous_commit']) {
      const { rows } = await client.query(`show ${name}`);
      if (rows[0][name] === 'off')
        throw new Error(`The database runs with ${name} off and can lose payments. Turn it on.`);
    }
  } finally {
    await client.end();
  }
}
