// The memory settings exist in three files; they must be equal, so that what is measured is what runs.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memorySettings, root } from './project.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');
const settings = Object.entries(memorySettings.environment).map((pair) => pair.join('='));

it('npm start keeps its memory as the benchmarks do', () => {
  const { start } = JSON.parse(read('package.json')).scripts;
  expect(start).toBe(
    `exec env ${settings.join(' ')} node ${memorySettings.arguments.join(' ')} scripts/florin.mjs start`,
  );
});

it('the image keeps its memory as the benchmarks do', () => {
  const dockerfile = read('Dockerfile');
  for (const setting of settings) expect(dockerfile).toContain(` ${setting}\n`);
  expect(dockerfile).toContain(
    `CMD ${JSON.stringify(['node', ...memorySettings.arguments, 'dist/server.js']).replaceAll(',', ', ')}\n`,
  );
});
