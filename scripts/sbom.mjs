// The software bill of materials from package-lock.json alone, so that the same lock file gives the same list. npm's
// own `npm sbom` writes version 1.5 and lists what happens to be installed.
//   npm run --silent sbom                prints it
//   npm run sbom -- florin.cdx.json      writes it to a file
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { importTypeScript } from './bundle.mjs';
import { root } from './project.mjs';

const { sbomOf } = await importTypeScript('scripts/sbom/bill.ts');
const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
const text = `${JSON.stringify(sbomOf(lock, new Date()), null, 2)}\n`;
const [file] = process.argv.slice(2);
if (file) writeFileSync(file, text);
else process.stdout.write(text);
