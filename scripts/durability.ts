// The check that the database commits durably: fsync and synchronous_commit are on.

import { errorCode, messageOf } from './project.ts';

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
