// florin test (npm test): all checks and tests, from a fresh clone, also while npm start runs. Ends with `N passed, N
// failed`: the tests of Vitest and Playwright, and one for every other check. A step that crashes counts as a failure.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { defineCommand } from '../../scripts/commands/command.ts';
import { prepareTests, run } from '../../scripts/install.ts';
import { messageOf, root } from '../../scripts/project.ts';
import type { startServers } from './servers.ts';

type Counts = { passed: number; failed: number };
type Servers = Awaited<ReturnType<typeof startServers>>;

const folder = join('.data', 'test');
const totals = { passed: 0, failed: 0 };
/** What is to be known beside the counts. */
const remarks: string[] = [];
const bin = (...path: string[]) => join(root, 'node_modules', ...path);
/** Functions that stop running servers and tests. */
const stops = new Set<() => unknown>();
const stopAll = () => Promise.all([...stops].map((stop) => stop()));

/** Runs and counts one check. Returns whether it passed. */
async function check(
  name: string,
  work: () => Promise<Counts | undefined> | Promise<void> | undefined,
): Promise<boolean> {
  const started = Date.now();
  try {
    const counted = (await work()) ?? { passed: 1, failed: 0 };
    totals.passed += counted.passed;
    totals.failed += counted.failed;
    const result = counted.failed > 0 ? 'FAIL' : 'ok  ';
    const count = counted.passed + counted.failed > 1 ? ` (${counted.passed} passed, ${counted.failed} failed)` : '';
    console.log(`${result} ${name}${count}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return counted.failed === 0;
  } catch (error) {
    totals.failed += 1;
    console.log(`FAIL ${name}\n${textOf(error)}`);
    return false;
  }
}

// A plain Error is a message; anything else is a error of the check.
function textOf(error: unknown) {
  if (!(error instanceof Error)) return String(error);
  return error.stack?.startsWith('Error') ? error.message : (error.stack ?? error.message);
}

function tool(name: string, script: string, args: string[]) {
  return check(name, async () => {
    await run(process.execPath, [script, ...args]);
  });
}

async function staticChecks() {
  const { difference } = await import('../../scripts/migrate.ts');
  await Promise.all([
    tool('types', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.check.json']),
    tool('lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['check', '--error-on-warnings', '--max-diagnostics=50']),
    tool('import rules', join(root, 'scripts', 'florin.mjs'), ['imports']),
    tool('words', join(root, 'scripts', 'florin.mjs'), ['words']),
    tool('dead code', bin('knip', 'bin', 'knip.js'), ['--no-progress', '--no-config-hints']),
  ]);
  await check('migrations lead to the schema', async () => {
    const sql = await difference();
    if (sql !== '') throw new Error(`npm run florin -- migrate new is due:\n${sql}`);
  });
}

type VitestReport = {
  numPassedTests: number;
  numFailedTests: number;
  success: boolean;
  testResults: { status: string; assertionResults: unknown[] }[];
};

async function unitTests() {
  const report = join(root, folder, 'unit.json');
  rmSync(report, { force: true });
  await check('unit tests', async () => {
    const failure = await run(process.execPath, [
      bin('vitest', 'vitest.mjs'),
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]).then(
      () => null,
      (error: Error) => error,
    );
    if (failure) console.log(failure.message);
    if (!existsSync(report)) throw failure ?? new Error('Vitest wrote no report.');
    const { numPassedTests, numFailedTests, testResults, success }: VitestReport = JSON.parse(
      readFileSync(report, 'utf8'),
    );
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const failed = numFailedTests + broken.length;
    return { passed: numPassedTests, failed: failed === 0 && (failure || !success) ? 1 : failed };
  });
}

type Spec = {
  title: string;
  file: string;
  line: number;
  tests: { status: string; results: { errors: { message?: string }[] }[] }[];
};
type Suite = { suites?: Suite[]; specs: Spec[] };
type PlaywrightReport = {
  stats: Record<'expected' | 'unexpected' | 'flaky', number>;
  errors: unknown[];
  suites: Suite[];
};

/** The tests of a suite that failed, or passed only when repeated, each with its first error in one line. */
function failuresOf({ suites = [], specs }: Suite): string[] {
  const own = specs.flatMap(({ file, line, title, tests }) => {
    const status = (['unexpected', 'flaky'] as const).find((each) => tests.some((test) => test.status === each));
    if (!status) return [];
    const [error] = tests.flatMap(({ results }) => results.flatMap(({ errors }) => errors));
    const message = stripVTControlCharacters(error?.message ?? '').replace(/\s+/g, ' ');
    const what = { unexpected: 'failed', flaky: 'passed only when repeated' }[status];
    return [`${what}: ${file}:${line} ${title}: ${message.slice(0, 600)}`];
  });
  return [...own, ...suites.flatMap(failuresOf)];
}

// Playwright prints its own progress; the report has the counts.
async function endToEnd(name: string, projects: string[], variables: Record<string, string | undefined>) {
  const report = join(root, folder, `${name}.json`);
  rmSync(report, { force: true });
  await check(name, async () => {
    // A run clears its results folder, and several run concurrently.
    const results = `--output=${join('test-results', projects[0] ?? name)}`;
    const names = projects.map((project) => `--project=${project}`);
    const args = [bin('@playwright', 'test', 'cli.js'), 'test', '--pass-with-no-tests', results, ...names];
    const env: NodeJS.ProcessEnv = { ...process.env, ...variables, FLORIN_REPORT: report, FORCE_COLOR: '0' };
    const code = await new Promise<number | null>((done) => {
      const child = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
      stops.add(() => child.kill('SIGINT'));
      child.on('error', () => done(1));
      child.on('close', done);
    });
    if (!existsSync(report)) throw new Error('Playwright wrote no report.');
    const { stats, errors, suites }: PlaywrightReport = JSON.parse(readFileSync(report, 'utf8'));
    remarks.push(...suites.flatMap(failuresOf));
    const failed = stats.unexpected + errors.length;
    return { passed: stats.expected + stats.flaky, failed: failed === 0 && code !== 0 ? 1 : failed };
  });
}

// Each has its own test environment; they run while the clock tests wait.
function chaosTests() {
  return check('chaos tests, short form', async () => {
    const { runShortChaosTests } = await import('../chaos/run-all-short.ts');
    process.env.FLORIN_BUILT = join(root, folder, 'dist', 'server.js');
    process.env.NEXT_DIST_DIR = join(folder, 'next');
    const results = await runShortChaosTests(Date.now() % 1_000_000_000);
    const failed = results.filter(({ violations }) => violations.length > 0);
    for (const { name, seed, violations } of failed) {
      console.log(`${name} (seed ${seed}):\n${violations.slice(0, 10).join('\n')}`);
    }
    return { passed: results.length - failed.length, failed: failed.length };
  });
}

// Always the same histories: others run every night.
function simulatedHistories() {
  return check('simulated histories', async () => {
    const { seriesFrom, simulate } = await import('../simulation/simulate.ts');
    const histories = 1000;
    const { violations } = await simulate({ series: seriesFrom(1, histories) });
    for (const violation of violations) console.log(violation);
    return { passed: histories - violations.length, failed: violations.length };
  });
}

// Histories that have found faults: each still finds its fault, planted again, and nothing in the service as it is.
function simulatedRegressions() {
  return check('regressions of simulated histories', async () => {
    const { regressions, verifyRegressions } = await import('../simulation/regressions.ts');
    const failures = await verifyRegressions();
    for (const failure of failures) console.log(failure);
    return { passed: regressions.length - failures.length, failed: failures.length };
  });
}

function repeatedHistories() {
  return check('a simulated history is repeated by its seed', async () => {
    const { startWorkers } = await import('../simulation/workers.ts');
    const { seriesLength } = await import('../simulation/worker.ts');
    const workers = startWorkers(2);
    const runs = [1, 2].map(() => workers.perform({ repeat: seriesLength }));
    const [one, other] = await Promise.all(runs).finally(workers.stop);
    if (one?.text !== other?.text) throw new Error('The histories of two processes differ');
    const seeds = [one, other].flatMap((run) => run?.failures.map(({ place }) => place.seed) ?? []);
    if (seeds.length > 0) throw new Error(`The histories of these seeds differ when repeated: ${seeds.join(', ')}`);
  });
}

// Also on its own database.
function ledgerSelfTest() {
  return check('the ledger check reports every corruption', async () => {
    const { runLedgerSelfTest } = await import('../audit/self-test.ts');
    const { corruptions, failures } = await runLedgerSelfTest();
    for (const failure of failures) console.log(failure);
    return { passed: corruptions - failures.length, failed: failures.length };
  });
}

function canaryScan() {
  return check('no card data is stored: canary scan', async () => {
    const { scanCards } = await import('../scan/scan-cards.ts');
    const output: string[] = [];
    const folders = { pages: join(folder, 'next'), server: join(folder, 'dist') };
    const { findings, missed } = await scanCards({ ...folders, rounds: 1, say: (line: string) => output.push(line) });
    if (findings.length + missed.length > 0) throw new Error([...output, ...missed, ...findings].join('\n'));
  });
}

// A database and its servers.
async function serve(name: string, choice?: Parameters<typeof startServers>[1]): Promise<Servers | null> {
  const started: Servers[] = [];
  await check(name, async () => {
    const { startServers } = await import('./servers.ts');
    const servers = await startServers(folder, choice);
    started.push(servers);
    stops.add(servers.stopAll);
  });
  return started[0] ?? null;
}

/** Runs of 13 to 19 digits in `text` that start like a card and pass Luhn, outside of longer runs and identifiers. */
function digitsThatPassLuhn(text: string): string[] {
  const runs: string[] = text.match(/(?<![\w.-])[2-6]\d{12,18}(?![\w-])/g) ?? [];
  return runs.filter((run) => {
    const sum = [...run].reverse().reduce((total, digit, place) => {
      const value = place % 2 === 1 ? Number(digit) * 2 : Number(digit);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
    return sum % 10 === 0;
  });
}

// Checks on the servers after the tests.
async function afterwards(whose: string, { databaseUrl, production, logs }: Servers) {
  await check(`the ledger after ${whose} is consistent`, async () => {
    const { checkLedger, checkText } = await import('../../lib/operations/ledger/check-database.ts');
    const ledger = await checkLedger(databaseUrl);
    if (ledger.payments === 0) throw new Error('The tests left no payment.');
    if (ledger.findings > 0) throw new Error(checkText(ledger).join('\n'));
  });
  await check('SIGTERM, sent twice, drains within 10 s', async () => {
    const { stopServer } = await import('./servers.ts');
    const { code, seconds } = await stopServer(production);
    if (code !== 0 || seconds > 10) throw new Error(`It ended with ${code} after ${seconds} s.`);
  });
  await check('no card number in the logs', async () => {
    const found = logs.flatMap((log) => digitsThatPassLuhn(readFileSync(log, 'utf8')));
    if (found.length > 0) throw new Error(`The logs contain ${found.length} numbers that could be cards.`);
  });
}

/** Runs tests on a database and a server that are theirs alone. */
async function onTheirOwnServer(project: string, name: string, browser: Record<string, string>) {
  const servers = await serve(`a server for the tests of the ${project} starts`, { home: join(folder, project) });
  if (!servers) return;
  await endToEnd(name, [project], { ...servers.variables, ...browser });
  await afterwards(`the tests of the ${project}`, servers);
  await servers.stopAll();
}

// The tests that move the clock or change the keys of a whole server, and the short chaos tests, wait more than they work:
// they run one after another beside the others.
async function besideTheOthers(browser: Record<string, string>) {
  await onTheirOwnServer('clock', 'end to end with a moved clock', browser);
  await onTheirOwnServer('vault', 'end to end with keys that change', browser);
  for (const tests of [
    chaosTests,
    simulatedHistories,
    repeatedHistories,
    simulatedRegressions,
    ledgerSelfTest,
    canaryScan,
  ])
    await tests();
}

async function overHttp() {
  const { findBrowser, findLanguages, findOtherEngines } = await import('./tools.ts');
  const browser: Record<string, string> = {};
  const projects = ['api', 'database', 'pages', 'pictures', 'chromium'];
  await check('a browser', async () => {
    browser.CHROMIUM_PATH = await findBrowser();
  });
  await check('Firefox and WebKit, where they are installed', async () => {
    const { paths, projects: found, missing } = await findOtherEngines();
    Object.assign(browser, paths);
    projects.push(...found);
    remarks.push(...missing);
  });
  await check('PHP and Python', async () => {
    Object.assign(browser, await findLanguages());
  });
  const servers = await serve('both servers start');
  if (!servers) return;
  const variables = { ...servers.variables, ...browser };
  await Promise.all([endToEnd('end to end', projects, variables), besideTheOthers(browser)]);
  await afterwards('the tests', servers);
}

async function allTests(isStatic: boolean) {
  await prepareTests(folder);
  await check('the database client', async () => (await import('../../scripts/build.ts')).generateClient());
  // Independent, and each has phases that use one processor only.
  await Promise.all([staticChecks(), unitTests()]);
  // `npm test -- --static` ends here.
  if (isStatic) return;
  const built = await check('build', async () => {
    const { build } = await import('../../scripts/build.ts');
    await build({ pages: join(folder, 'next'), server: join(folder, 'dist') });
  });
  if (!built) return;
  await overHttp();
}

export const test = defineCommand({
  usage: `florin test: all checks and tests; ends with "N passed, N failed".
    --static   the fast checks only: types, lint, import rules, words, dead code, migrations, unit tests`,
  options: { static: { type: 'boolean', default: false } },
  run: async (options) => {
    for (const signal of ['SIGINT', 'SIGTERM']) {
      process.on(signal, async () => {
        await stopAll();
        process.exit(130);
      });
    }
    try {
      await allTests(options.static);
    } catch (error) {
      totals.failed += 1;
      console.log(error instanceof Error ? error.stack : messageOf(error));
    } finally {
      await stopAll();
    }
    for (const remark of remarks) console.log(remark);
    console.log(`${totals.passed} passed, ${totals.failed} failed`);
    process.exit(totals.failed === 0 ? 0 : 1);
  },
});
