// Generates Prisma's client from prisma/schema. Prisma's command line looks for its migration engine even here, though
// generating needs none: a harmless stand-in keeps it from downloading one.
import { spawnSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** Writes lib/prisma; throws with Prisma's own words when the schema is wrong. */
export function generateClient() {
  const prisma = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const done = spawnSync(process.execPath, [prisma, 'generate'], {
    cwd: root,
    encoding: 'utf8',
    env: {
      ...process.env,
      PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
      PRISMA_HIDE_UPDATE_MESSAGE: '1',
      CHECKPOINT_DISABLE: '1',
    },
  });
  if (done.status !== 0) throw new Error(`Prisma's client could not be generated.\n${done.stdout}${done.stderr}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) generateClient();
