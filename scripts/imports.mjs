// Checks the import rules (.dependency-cruiser.cjs). The tool passes everything if it cannot parse TypeScript, so the
// check also verifies that imports were found.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './project.mjs';

const folders = ['app', 'components', 'lib', 'e2e', 'prisma', 'instrumentation.ts'].filter((name) =>
  existsSync(join(root, name)),
);
const tool = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
const run = spawnSync(
  process.execPath,
  [tool, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders],
  {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  },
);
if (!run.stdout) {
  console.error(run.stderr);
  process.exit(1);
}
const { modules, summary } = JSON.parse(run.stdout);
const seen = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]));
for (const witness of ['lib/server/routes.ts', 'app/layout.tsx']) {
  if (!seen.get(witness))
    summary.violations.push({ rule: { name: 'code-was-not-read' }, from: witness, to: '(no import was found)' });
}
for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
console.log(`${modules.length} modules, ${summary.violations.length} violations.`);
if (summary.violations.length > 0) process.exit(1);
