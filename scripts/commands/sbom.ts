// florin sbom: the software bill of materials from package-lock.json alone, so that the same lock file gives the same
// list. npm's own `npm sbom` writes version 1.5 and lists what happens to be installed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.ts';
import { sbomOf } from '../sbom/bill.ts';
import { defineCommand } from './command.ts';

export const sbom = defineCommand({
  usage: `florin sbom [file]: writes the software bill of materials (CycloneDX) to the file, or prints it.`,
  positionals: { least: 0, most: 1 },
  run: async (_values, [file]) => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const text = `${JSON.stringify(sbomOf(lock, new Date()), null, 2)}\n`;
    if (file) writeFileSync(file, text);
    else process.stdout.write(text);
  },
});
