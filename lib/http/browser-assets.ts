// Reads the files that scripts/build-browser.ts builds for payers' browsers, once per process: URL and integrity hash
// of the script, and the texts of the style sheets, one of which every document contains.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Asset = { src: string; integrity: string };
export type PayAssets = { style: string; formStyle: string; script: Asset };

type Manifest = Record<string, { file: string; integrity: string }>;

const folder = (): string => join(process.cwd(), 'public', 'sdk');

let manifest: Manifest | undefined;

function entry(name: string): { file: string; integrity: string } {
  manifest ??= JSON.parse(readFileSync(join(folder(), 'manifest.json'), 'utf8')) as Manifest;
  const file = manifest[name];
  if (!file) throw new Error(`public/sdk/manifest.json has no ${name}: run npm run build`);
  return file;
}

/** Returns URL and integrity hash of a built file by its plain name ('pay.js'). */
export function readAsset(name: string): Asset {
  const { file, integrity } = entry(name);
  return { src: `/sdk/${file}`, integrity };
}

const readText = (name: string) => readFileSync(join(folder(), entry(name).file), 'utf8').trim();

let payAssets: PayAssets | undefined;

/** Returns the assets of every payment page; the `assets` of components/pay/document.tsx. */
export function readPayAssets(): PayAssets {
  payAssets ??= { style: readText('pay.css'), formStyle: readText('form.css'), script: readAsset('pay.js') };
  return payAssets;
}
