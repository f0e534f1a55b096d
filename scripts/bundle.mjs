// Bundles our TypeScript for Node with esbuild; what comes from npm stays where it is.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Bundles `entry` (from the project's folder) into the file `output`. The exports of the files in `inject` replace the
 * global names that they are called. The source map is part of the file, or `beside` it.
 */
export async function bundle(entry, output, { inject = [], map = 'inline' } = {}) {
  const { build } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node20',
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

// esbuild escapes the letters of strings, but not those of regular expressions. V8 keeps a source of which one letter is
// beyond Latin-1 at two bytes a letter, for as long as the process lives.
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const imported = new Map();

/**
 * Bundles `entry` beside the other build results and imports it, once per process, however many ask for it at a time. The file is
 * this process's own, and gone afterwards.
 */
export function importTypeScript(entry) {
  if (!imported.has(entry)) imported.set(entry, bundleAndImport(entry));
  return imported.get(entry);
}

async function bundleAndImport(entry) {
  const name = entry.replaceAll(/[/\\]/g, '-').replace(/\.tsx?$/, '');
  const output = join(root, 'dist', 'scripts', `${name}.${process.pid}.mjs`);
  await bundle(entry, output);
  try {
    return await import(pathToFileURL(output).href);
  } finally {
    rmSync(output, { force: true });
  }
}
