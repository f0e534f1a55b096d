// florin build, florin generate and florin client.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build as bundle } from 'esbuild';
import { build as buildOutdated, generateClient } from '../build.ts';
import { run } from '../install.ts';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

const folder = join(root, 'lib', 'client-sdk');
const target = join(folder, 'dist');

export const build = defineCommand({
  usage: 'florin build: builds browser scripts, server and pages, unless the last build is current.',
  run: async () => buildOutdated(),
});

export const generate = defineCommand({
  usage: "florin generate: generates the database client from Prisma's schema, unless it is current.",
  run: async () => generateClient(),
});

// Everything except React is bundled: the package has no dependencies that merchants' bundlers must resolve.
export const client = defineCommand({
  usage: 'florin client: builds the package of the client SDK into lib/client-sdk/dist.',
  run: async () => {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    await bundle({
      absWorkingDir: folder,
      entryPoints: ['index', 'react', 'server'].map((name) => `src/${name}.ts`),
      outdir: target,
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'neutral',
      target: 'es2020',
      external: ['react'],
      charset: 'utf8',
      logLevel: 'warning',
    });
    await run(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder]);

    // The package has the types of JavaScript files.
    for (const name of readdirSync(target).filter((each) => each.endsWith('.d.ts'))) {
      const path = join(target, name);
      const text = readFileSync(path, 'utf8');
      writeFileSync(path, text.replace(/(?<=from |import\()(['"])(\.\/[\w-]+)\.ts\1/g, '$1$2.js$1'));
    }
    copyFileSync(join(root, 'node_modules', '@noble', 'hashes', 'LICENSE'), join(target, 'noble-hashes.license.txt'));
  },
});
