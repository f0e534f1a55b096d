// npm run reset: empties the data folder including the embedded database. A database of DATABASE_URL is not touched.
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolder, servingPort } from './project.mjs';

const port = await servingPort();
if (port !== null) {
  console.error(`Florin is serving on port ${port}: stop it first.`);
  process.exit(1);
}
const postgres = join(dataFolder, 'postgres');
if (existsSync(postgres)) {
  const { removePostgres } = await import('./postgres.mjs');
  await removePostgres(postgres);
}
rmSync(dataFolder, { recursive: true, force: true });
console.log('The data folder is empty.');
