// Builds what payers' browsers load: each lib/browser/*.ts and the pages' style sheets become small files in public/sdk,
// named by their content hash for unlimited caching, with brotli and gzip copies and a manifest of integrity values.
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { root } from './project.ts';

const target = join(root, 'public', 'sdk');
// The style sheet needs at least these versions; without script the page works in older ones.
const browsers = ['chrome100', 'firefox100', 'safari15'];

const scripts = readdirSync(join(root, 'lib', 'browser')).filter((name) => /^[a-z-]+\.ts$/.test(name));
/** Merchants' pages use the stable address; the manifest has the hashed one, for pinning. The sandbox's bank has no other. */
const plainNames = ['hosted-fields.js', 'hosted-fields-react.js', 'florin-card.js', 'sandbox-bank.css'];
const sources = [
  ...scripts.map((name) => ({ name: `${basename(name, '.ts')}.js`, path: join(root, 'lib', 'browser', name) })),
  { name: 'hosted-fields-react.js', path: join(root, 'lib', 'browser', 'react', 'hosted-fields-react.tsx') },
  ...['form.css', 'pay.css'].map((name) => ({ name, path: join(root, 'components', 'pay', name) })),
  ...['shop-fields.css', 'sandbox-bank.css'].map((name) => ({ name, path: join(root, 'lib', 'browser', name) })),
];

async function bundle({ name, path }: { name: string; path: string }) {
  const result = await build({
    entryPoints: [path],
    bundle: true,
    minify: true,
    write: false,
    // React components are part of the merchant's bundle and use its React.
    ...(path.endsWith('.tsx')
      ? { format: 'esm', jsx: 'automatic', external: ['react', 'react/jsx-runtime'], banner: { js: '"use client";' } }
      : { format: 'iife' }),
    charset: 'utf8',
    legalComments: 'none',
    target: browsers,
    // Nested and logical rules are not lowered: older browsers get the plain page.
    supported: { 'inset-property': true, nesting: true },
    logLevel: 'warning',
    outdir: target,
    entryNames: basename(name).replace(/\.\w+$/, ''),
  });
  const [file] = result.outputFiles;
  if (!file) throw new Error(`esbuild wrote nothing for ${path}.`);
  return Buffer.from(file.contents);
}

/** Writes a file with its compressed copies, which the server sends; returns the size of the smaller one. */
function write(name: string, content: Buffer | string): number {
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT };
  const small = brotliCompressSync(bytes, { params });
  writeFileSync(join(target, name), bytes);
  writeFileSync(join(target, `${name}.br`), small);
  writeFileSync(join(target, `${name}.gz`), gzipSync(bytes, { level: 9 }));
  return small.length;
}

const files = await Promise.all(sources.map(async (source) => ({ name: source.name, bytes: await bundle(source) })));

rmSync(target, { recursive: true, force: true });
mkdirSync(target, { recursive: true });
const manifest: Record<string, { file: string; integrity: string }> = {};
for (const { name, bytes } of files) {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 12);
  const file = name.replace(/\.(\w+)$/, `.${hash}.$1`);
  manifest[name] = { file, integrity: `sha384-${createHash('sha384').update(bytes).digest('base64')}` };
  const small = write(file, bytes);
  if (plainNames.includes(name)) write(name, bytes);
  console.log(`${name}  ${bytes.length} bytes, ${small} brotli`);
}
for (const types of ['hosted-fields.d.ts', 'hosted-fields-react.d.ts', 'florin-card.d.ts']) {
  copyFileSync(join(root, 'lib', 'browser', 'fields', types), join(target, types));
}
const { inventoryOf } = await import('../lib/core/script-inventory.ts');
write('inventory.json', `${JSON.stringify(inventoryOf(manifest), null, 2)}\n`);
write('manifest.json', `${JSON.stringify(manifest, null, 2)}\n`);
