// Generates Prisma's client from prisma/schema. Prisma's command line looks for its migration engine even though
// generating needs none; a stand-in keeps it from downloading one.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.ts';

/** Writes lib/prisma unless it matches the schema already; throws Prisma's message if the schema is invalid. */
export function generateClient(): void {
  const stampFile = join(root, 'lib', 'prisma', 'stamp');
  const stamp = hashSchema();
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) return;
  const prisma = join(root, 'node_modules', 'prisma', 'build', 'index.js');
  const quiet = { PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true', PRISMA_HIDE_UPDATE_MESSAGE: '1', CHECKPOINT_DISABLE: '1' };
  const env = { ...process.env, ...quiet };
  const done = spawnSync(process.execPath, [prisma, 'generate'], { cwd: root, encoding: 'utf8', env });
  if (done.status !== 0) throw new Error(`Prisma's client could not be generated.\n${done.stdout}${done.stderr}`);
  writeFileSync(stampFile, stamp);
}

function hashSchema() {
  const hash = createHash('sha256').update(readFileSync(join(root, 'node_modules', 'prisma', 'package.json')));
  const folder = join(root, 'prisma', 'schema');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex');
}
