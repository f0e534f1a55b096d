// Bundles TypeScript for Node with esbuild; npm packages stay external.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Bundles `entry` (relative to the project) into the file `output`. Exports of the files in `inject` replace the global
 * names of the same spelling. The source map is inline or `beside` the output.
 */
export async function bundle(
  entry: string,
  output: string,
  { inject = [], map = 'inline' }: { inject?: string[]; map?: 'inline' | 'beside' } = {},
): Promise<void> {
  const { build } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    inject,
    sourcemap: map === 'beside' ? 'linked' : 'inline',
    sourcesContent: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'silent',
  });
  writeFileSync(output, inAscii(readFileSync(output, 'utf8')));
}

// esbuild escapes strings but not regular expressions. V8 stores a source with one character beyond Latin-1 at two
// bytes a character, for the life of the process.
function inAscii(code: string) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const imported = new Map<string, Promise<unknown>>();

/**
 * Bundles `entry` with the other build results and imports it, once per process: the modules of lib name their imports
 * without an extension, so Node does not load them by itself. The file belongs to this process and is deleted afterwards.
 * `Module` is the type of the entry: `importTypeScript<typeof import('../lib/x.ts')>('lib/x.ts')`.
 */
export function importTypeScript<Module>(entry: string): Promise<Module> {
  const loading = imported.get(entry) ?? bundleAndImport(entry);
  imported.set(entry, loading);
  return loading as Promise<Module>;
}

async function bundleAndImport(entry: string): Promise<unknown> {
  const name = entry.replaceAll(/[/\\]/g, '-').replace(/\.tsx?$/, '');
  const output = join(root, 'dist', 'scripts', `${name}.${process.pid}.mjs`);
  await bundle(entry, output);
  try {
    return await import(pathToFileURL(output).href);
  } finally {
    rmSync(output, { force: true });
  }
}
