// The transfer size of other vendors' card forms: their published packages at fixed versions, bundled for browsers with
// only the card form, minified and compressed with brotli. They are installed apart from the project. Their frames load
// from the vendors' servers at run time and are not counted, in their favour.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';
import { run } from '../../scripts/install.ts';
import { benchFolder } from './stack.ts';

const versions: Record<string, string> = {
  '@adyen/adyen-web': '6.45.2',
  'braintree-web': '3.144.0',
  'braintree-web-drop-in': '1.48.0',
};

const forms = [
  {
    name: "adyen-web's card",
    of: '@adyen/adyen-web',
    source: `import { AdyenCheckout, Card } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';
AdyenCheckout({ clientKey: 'test', environment: 'test', countryCode: 'DE' }).then((checkout) => new Card(checkout).mount('#card'));`,
  },
  {
    name: "Braintree's hosted fields",
    of: 'braintree-web',
    source: `import client from 'braintree-web/client';
import hostedFields from 'braintree-web/hosted-fields';
client.create({ authorization: 'test' }).then((made) =>
  hostedFields.create({ client: made, fields: { number: { selector: '#number' }, cvv: { selector: '#cvv' } } }));`,
  },
  {
    name: "Braintree's drop-in",
    of: 'braintree-web-drop-in',
    source: `import dropin from 'braintree-web-drop-in';
dropin.create({ authorization: 'test', container: '#card' });`,
  },
];

async function install(folder: string) {
  mkdirSync(folder, { recursive: true });
  // The package.json keeps npm from installing into this project.
  const description = { private: true, dependencies: versions };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(description));
  await run('npm', ['install', '--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund']);
}

const best = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT },
};

/** A card form and its sizes in bytes. */
export type CardForm = { name: string; version: string; minified: number; compressed: number };

/** Installs and bundles the packages. */
export async function measureOtherCardForms(): Promise<CardForm[]> {
  const folder = join(benchFolder, 'other-card-forms');
  await install(folder);
  const sizes: CardForm[] = [];
  for (const { name, of, source } of forms) {
    const { outputFiles } = await build({
      stdin: { contents: source, resolveDir: folder },
      outdir: folder,
      bundle: true,
      write: false,
      minify: true,
      platform: 'browser',
      format: 'iife',
      target: 'es2020',
      define: { 'process.env.NODE_ENV': '"production"', global: 'window' },
      logLevel: 'silent',
    });
    const minified = outputFiles.reduce((sum, { contents }) => sum + contents.length, 0);
    const compressed = outputFiles.reduce((sum, { contents }) => sum + brotliCompressSync(contents, best).length, 0);
    sizes.push({ name, version: versions[of] ?? '', minified, compressed });
  }
  return sizes;
}
