// Bundles TypeScript for Node with esbuild; npm packages stay external.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildOptions, PluginBuild } from 'esbuild';
import { root } from './project.ts';

/** Bundles `entry` (relative to the project) into the file `output`. The source map is inline or `linked` beside it. */
export async function bundle(entry: string, output: string, sourcemap: 'inline' | 'linked' = 'inline'): Promise<void> {
  const { build } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  await build({ ...bundleOptions(entry, output, 'production'), sourcemap });
  writeFileSync(output, inAscii(readFileSync(output, 'utf8')));
}

/** Bundles `entry` for development and again at every change; `built` is called after a bundle that differs. */
export async function bundleOnChange(entry: string, output: string, built: () => void): Promise<void> {
  const { context } = await import('esbuild');
  mkdirSync(dirname(output), { recursive: true });
  let last = '';
  const notify = {
    name: 'notify',
    setup: (build: PluginBuild) =>
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

function bundleOptions(entry: string, output: string, environment: string) {
  return {
    absWorkingDir: root,
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    packages: 'external',
    jsx: 'automatic',
    sourcesContent: false,
    define: { 'process.env.NODE_ENV': JSON.stringify(environment) },
    logLevel: 'silent',
  } satisfies BuildOptions;
}

// esbuild escapes strings but not regular expressions. V8 stores a source with one character beyond Latin-1 at two
// bytes a character, for the life of the process.
function inAscii(code: string) {
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Bundles and imports a module of lib that reaches the payment pages: Node runs TypeScript, but not JSX. */
export async function importWithPages<Module>(entry: string): Promise<Module> {
  const output = join(root, 'dist', `${basename(entry)}.${process.pid}.mjs`);
  await bundle(entry, output);
  try {
    return await import(pathToFileURL(output).href);
  } finally {
    rmSync(output);
  }
}
