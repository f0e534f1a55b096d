// npm run chaos -- security: runs every attack of the table (security/attacks.ts) against a sandbox and servers in
// production mode, by the tests that hold them. A failed test is a violation, and so is an attack without a test. The
// report is printed, and written to .data/chaos/security/report.json.
//   --class 'Tenant isolation' (a part of the class; all by default)

import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../../scripts/project.ts';
import { findBrowser } from '../runner/tools.ts';
import { command, type Result } from './command-line.ts';
import { startSandbox } from './sandbox.ts';
import { type Attack, attacks } from './security/attacks.ts';

const folder = join(root, '.data', 'chaos', 'security');
const bin = (...path: string[]) => join(root, 'node_modules', ...path);

/** The result of a test: its file, its title with those of its groups, and whether it passed. */
type Outcome = { file: string; title: string; passed: boolean };

const isEndToEnd = ({ file }: Attack) => file.endsWith('.spec.ts');
const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Runs a tool of the tests, and returns its report. */
async function reportOf<Report>(name: string, args: string[], variables: Record<string, string> = {}): Promise<Report> {
  const report = join(folder, `${name}.json`);
  rmSync(report, { force: true });
  const all = args.map((each) => each.replace('{report}', report));
  await new Promise((done, fail) => {
    const env = { ...process.env, ...variables, FLORIN_REPORT: report };
    const child = spawn(process.execPath, all, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    child.once('error', fail);
    child.once('close', done);
  });
  return JSON.parse(readFileSync(report, 'utf8'));
}

type Suite = { title: string; file: string; suites?: Suite[]; specs: { title: string; ok: boolean }[] };

function outcomesOf({ file, suites = [], specs }: Suite, groups: string[] = []): Outcome[] {
  const own = specs.map(({ title, ok }) => ({
    file: join('e2e', file),
    title: [...groups, title].join(' '),
    passed: ok,
  }));
  return [...own, ...suites.flatMap((suite) => outcomesOf(suite, [...groups, suite.title]))];
}

/** The end-to-end tests of some projects. Those that move the clock of the whole server run apart from the others. */
async function endToEnd(projects: string[], chosen: Attack[], variables: Record<string, string>): Promise<Outcome[]> {
  const own = chosen.filter(({ file }) => projects.some((project) => file.startsWith(`e2e/${project}/`)));
  if (own.length === 0) return [];
  const args = [bin('@playwright', 'test', 'cli.js'), 'test', `--output=${join(folder, 'results')}`];
  const files = [...new Set(own.map(({ file }) => file))];
  // The titles that Playwright compares begin with the project and the file.
  const titles = [...new Set(own.map(({ file, title }) => escaped(title === '*' ? basename(file) : title)))].join('|');
  const chosenProjects = projects.map((project) => `--project=${project}`);
  const all = [...args, ...chosenProjects, ...files, `--grep=${titles}`];
  const report = await reportOf<{ suites: Suite[] }>(projects.join('-'), all, variables);
  return report.suites.flatMap((suite) => outcomesOf(suite));
}

type UnitReport = { testResults: { name: string; assertionResults: { fullName: string; status: string }[] }[] };

async function unitTests(chosen: Attack[]): Promise<Outcome[]> {
  const files = [...new Set(chosen.filter((attack) => !isEndToEnd(attack)).map(({ file }) => file))];
  if (files.length === 0) return [];
  const args = ['run', ...files, '--reporter=dot', '--reporter=json', '--outputFile.json={report}'];
  const report = await reportOf<UnitReport>('unit', [bin('vitest', 'vitest.mjs'), ...args]);
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ fullName, status }) => ({
      file: name.slice(root.length + 1),
      title: fullName,
      passed: status === 'passed',
    })),
  );
}

/** Runs the attacks of the classes whose name contains `kind`. */
export async function runSecurityTest({ kind = '' }: { kind?: string }): Promise<Result> {
  const chosen = attacks.filter((attack) => attack.kind.includes(kind));
  if (chosen.length === 0) throw new Error(`There is no class ${kind}.`);
  mkdirSync(folder, { recursive: true });
  const units = await unitTests(chosen);
  const sandbox = await startSandbox('security');
  try {
    const variables = { ...sandbox.variables, CHROMIUM_PATH: await findBrowser() };
    const together = await endToEnd(['api', 'pages'], chosen, variables);
    const alone = await endToEnd(['clock'], chosen, variables);
    const vault = await endToEnd(['vault'], chosen, variables);
    return resultOf(chosen, [...units, ...together, ...alone, ...vault]);
  } finally {
    await sandbox.stop();
  }
}

function resultOf(chosen: readonly Attack[], outcomes: readonly Outcome[]): Result {
  const results = chosen.map((attack) => {
    const { file, title } = attack;
    const tests = outcomes.filter((each) => each.file === file && (title === '*' || each.title.includes(title)));
    return { ...attack, tests: tests.length, failed: tests.filter(({ passed }) => !passed).map((each) => each.title) };
  });
  writeFileSync(join(folder, 'report.json'), `${JSON.stringify(results, null, 2)}\n`);
  const summary: { [kind: string]: string } = {};
  for (const [kind, list] of Map.groupBy(results, (each) => each.kind)) {
    const tests = list.reduce((sum, each) => sum + each.tests, 0);
    const open = list.filter(({ tests, failed }) => tests === 0 || failed.length > 0).length;
    summary[kind] = `${list.length} attacks, ${tests} tests: ${open === 0 ? 'all refused' : `${open} not refused`}`;
  }
  const violations = results.flatMap(({ id, file, title, tests, failed }) => [
    ...(tests === 0 ? [`${id} ${file} has no test "${title}"`] : []),
    ...failed.map((each) => `${id} ${file}: ${each}`),
  ]);
  return { violations, summary };
}

await command(import.meta.url, ['class'], ({ class: kind }) => runSecurityTest({ kind }));
