// The proxy of a slow database finds a statement by its name. Were the name not one of lib's, the tests that stop a
// process at that statement would stop it anywhere.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The sources in a folder, tests of lib excluded. */
function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(?:ts|mjs)$/.test(name) && !name.endsWith('.test.ts') && !name.startsWith('prisma/'))
    .map((name) => readFileSync(join(root, folder, name), 'utf8'));
}

it('every statement that a test holds has its name in lib', () => {
  const held = sourcesIn('e2e').flatMap((text) => [...text.matchAll(/\.hold\('([^']+)'/g)].map(([, name]) => name));
  expect(held.length).toBeGreaterThan(0);
  const lib = sourcesIn('lib').join('\n');
  expect(held.filter((name) => !lib.includes(`'${name}'`))).toEqual([]);
});
