// Bundles TypeScript for Node with esbuild; npm packages stay external.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/**
 * Bundles `entry` (relative to the project) into the file `output`. The source map is inline or `beside` the output.
 */
export async function bundle(entry, output, { map = 'inline' } = {}) {
  const { build } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  await build({ ...bundleOptions(entry, output, 'production'), sourcemap: map === 'beside' ? 'linked' : 'inline' });
  writeFileSync(output, inAscii(readFileSync(output, 'utf8')));
}

/** Bundles `entry` for development and again at every change; `built` is called after a bundle that differs. */
export async function bundleOnChange(entry, output, built) {
  const { context } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  let last = '';
  const notify = {
    name: 'notify',
    setup: (build) =>
      build.onEnd(({ errors }) => {
        if (errors.length > 0) return;
        const text = readFileSync(output, 'utf8');
        if (text !== last) built();
        last = text;
      }),
  };
  const options = bundleOptions(entry, output, 'development');
  const watched = await context({ ...options, sourcemap: 'linked', logLevel: 'warning', plugins: [notify] });
  await watched.watch();
}

function bundleOptions(entry, output, environment) {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    sourcesContent: false,
    define: { 'process.env.NODE_ENV': JSON.stringify(environment) },
    logLevel: 'silent',
  };
}

// esbuild escapes strings but not regular expressions. V8 stores a source with one character beyond Latin-1 at two
// bytes a character, for the life of the process.
function inAscii(code) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const imported = new Map();

/**
 * Bundles `entry` with the other build results and imports it, once per process. The file belongs to this process and
 * is deleted afterwards.
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
