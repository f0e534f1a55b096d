// Builds everything that is served: browser scripts, Next pages and the production server. A hash of the sources shows
// whether a build is current.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { bundle } from './bundle.ts';
import { run } from './install.ts';
import { root, step } from './project.ts';

const sources = [
  ...['app', 'components', 'lib', 'messages', 'prisma', 'public', 'docs', 'scripts'],
  ...['next.config.mjs', 'instrumentation.ts', 'postcss.config.mjs', 'tsconfig.json', 'package-lock.json'],
];
type Folders = { pages: string; server: string };

const made = new Set(['lib/prisma', 'lib/client-sdk/dist', 'public/sdk']);

/** Builds into `folders` (relative to the project) if the sources have changed since the last build there. */
export async function build(folders: Folders = { pages: '.next', server: 'dist' }) {
  const stampFile = join(root, folders.server, 'stamp');
  const stamp = hashSources();
  if (isStamped(stampFile, stamp) && isWhole(folders)) return;
  rmSync(stampFile, { force: true });
  await step('Generating the database client', async () => generateClient());
  await step('Building the browser scripts', buildBrowser);
  const server = join(root, folders.server, 'server.js');
  await step('Building the server', () => bundle('lib/server/server.ts', server, 'linked'));
  await step('Building the pages', () => buildPages(folders.pages));
  writeFileSync(stampFile, stamp);
}

/** Builds the scripts and styles of payers' browsers into public/sdk. */
export const buildBrowser = () => run(process.execPath, [join(root, 'scripts', 'build-browser.ts')]);

const isStamped = (file: string, stamp: string) => existsSync(file) && readFileSync(file, 'utf8') === stamp;

function isWhole({ pages, server }: Folders) {
  const built = [join(pages, 'BUILD_ID'), join(server, 'server.js')];
  return [...built, 'lib/prisma/client.ts', 'public/sdk/manifest.json'].every((file) => existsSync(join(root, file)));
}

// Next writes the folder of its types into tsconfig.json, so a build elsewhere gets its own file.
async function buildPages(folder: string) {
  const next = join(root, 'node_modules', 'next', 'dist', 'bin', 'next');
  const extra: Record<string, string> = { NODE_ENV: 'production', NEXT_DIST_DIR: folder };
  if (folder !== '.next') {
    mkdirSync(join(root, folder), { recursive: true });
    const settings = join(folder, '..', 'tsconfig.json');
    extra.NEXT_TSCONFIG = settings;
    const depth = relative(join(root, folder, '..'), root);
    writeFileSync(join(root, settings), JSON.stringify({ extends: join(depth, 'tsconfig.json') }));
  }
  await run(process.execPath, [next, 'build'], extra);
  if (folder !== '.next') writeNextTypes();
}

/** Writes next-env.d.ts without the types of a particular build, which may be missing during type checks. */
export function writeNextTypes() {
  const lines = ['next', 'next/image-types/global'].map((name) => `/// <reference types="${name}" />\n`);
  writeFileSync(join(root, 'next-env.d.ts'), lines.join(''));
}

function hashSources() {
  const hash = createHash('sha256').update(process.version);
  const add = (path: string) => {
    const name = relative(root, path).replaceAll('\\', '/');
    if (made.has(name) || !existsSync(path)) return;
    if (statSync(path).isDirectory()) for (const inner of readdirSync(path).sort()) add(join(path, inner));
    else if (!/\.test\.tsx?$/.test(name)) hash.update(name).update('\0').update(readFileSync(path)).update('\0');
  };
  for (const source of sources) add(join(root, source));
  return hash.digest('hex');
}

/**
 * Generates Prisma's client, unless it matches the schema already; throws Prisma's message if the schema is invalid.
 * Prisma looks for its migration engine although generating needs none; a stand-in keeps it from downloading one.
 */
export function generateClient(): void {
  const stampFile = join(root, 'lib', 'prisma', 'stamp');
  const stamp = hashSchema();
  if (isStamped(stampFile, stamp)) return;
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
