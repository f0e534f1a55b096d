// florin imports: checks the import rules (.dependency-cruiser.cjs). The tool passes everything if it cannot parse
// TypeScript, so the check also verifies that imports were found.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../project.ts';
import { defineCommand } from './command.ts';

const folders = ['app', 'components', 'lib', 'e2e', 'prisma'].filter((name) => existsSync(join(root, name)));
const tool = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');
type Violation = { rule: { name: string }; from: string; to: string };
type Report = { modules: { source: string; dependencies: unknown[] }[]; summary: { violations: Violation[] } };

export const imports = defineCommand({
  usage: 'florin imports: checks the import rules of .dependency-cruiser.cjs, and that every room of lib is described.',
  run: async () => checkImports(),
});

function checkImports(): number {
  const args = [tool, '--config', '.dependency-cruiser.cjs', '--output-type', 'json', ...folders];
  const run = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 });
  if (!run.stdout) {
    console.error(run.stderr);
    return 1;
  }
  const { modules, summary } = JSON.parse(run.stdout) as Report;
  const seen = new Map(modules.map(({ source, dependencies }) => [source, dependencies.length]));
  const add = (name: string, from: string, to: string) => summary.violations.push({ rule: { name }, from, to });
  for (const witness of ['lib/server/routes.ts', 'app/layout.tsx']) {
    if (!seen.get(witness)) add('code-was-not-read', witness, '(no import was found)');
  }
  // What a room is, what it owns and what it may import.
  const rooms = readdirSync(join(root, 'lib'), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of rooms) {
    // Generated code, scripts for browsers and the package for merchants are not imported as rooms.
    if (['prisma', 'browser', 'client-sdk'].includes(name)) continue;
    const index = join('lib', name, 'index.ts');
    const text = existsSync(join(root, index)) ? readFileSync(join(root, index), 'utf8') : '';
    const opening = text.split('\n').slice(0, 3);
    if (opening.length < 3 || opening.some((line) => !line.startsWith('// '))) {
      add('room-opens-with-three-lines', index, '(is, owns, imports)');
    }
  }
  for (const { rule, from, to } of summary.violations) console.error(`${rule.name}: ${from} -> ${to}`);
  console.log(`${modules.length} modules, ${summary.violations.length} violations.`);
  return summary.violations.length > 0 ? 1 : 0;
}
