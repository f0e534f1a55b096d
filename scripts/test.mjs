// npm test: everything, from a fresh clone, beside a running npm start. Ends with `N passed, N failed`: the tests of
// Vitest and Playwright, and one for every other check. A step that crashes is a failure.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, run } from './install.mjs';
import { requireNode, root } from './project.mjs';

const folder = join('.data', 'test');
const tally = { passed: 0, failed: 0 };
const bin = (...path) => [process.execPath, [join(root, 'node_modules', ...path)]];
/** What ends the servers and tests that run. */
const stops = new Set();
const stopAll = () => Promise.all([...stops].map((stop) => stop()));

/** Runs one check and counts it. Says whether it held. */
async function check(name, work) {
  const started = Date.now();
  try {
    const counted = (await work()) ?? { passed: 1, failed: 0 };
    tally.passed += counted.passed;
    tally.failed += counted.failed;
    const said = counted.failed > 0 ? 'FAIL' : 'ok  ';
    const count = counted.passed + counted.failed > 1 ? ` (${counted.passed} passed, ${counted.failed} failed)` : '';
    console.log(`${said} ${name}${count}, ${((Date.now() - started) / 1000).toFixed(1)} s`);
    return counted.failed === 0;
  } catch (fault) {
    tally.failed += 1;
    console.log(`FAIL ${name}\n${fault.stack?.startsWith('Error') ? fault.message : (fault.stack ?? fault)}`);
    return false;
  }
}

function tool(name, [command, [script]], args) {
  return check(name, async () => {
    await run(command, [script, ...args]);
  });
}

async function staticChecks() {
  const { difference } = await import('./migrate.mjs');
  await Promise.all([
    tool('types', bin('typescript', 'bin', 'tsc'), ['--noEmit', '-p', 'tsconfig.check.json']),
    tool('lint', bin('@biomejs', 'biome', 'bin', 'biome'), ['check', '--error-on-warnings', '--max-diagnostics=50']),
    tool('import rules', [process.execPath, [join(root, 'scripts', 'imports.mjs')]], []),
    tool('dead code', bin('knip', 'bin', 'knip.js'), ['--no-progress', '--no-config-hints']),
  ]);
  await check('migrations lead to the schema', async () => {
    const sql = await difference();
    if (sql !== '') throw new Error(`npm run migrate:new is due:\n${sql}`);
  });
}

async function unitTests() {
  const report = join(root, folder, 'unit.json');
  rmSync(report, { force: true });
  await check('unit tests', async () => {
    const [command, [vitest]] = bin('vitest', 'vitest.mjs');
    const failure = await run(command, [
      vitest,
      'run',
      '--reporter=dot',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ]).then(
      () => null,
      (fault) => fault,
    );
    if (failure) console.log(failure.message);
    if (!existsSync(report)) throw failure ?? new Error('Vitest wrote no report.');
    const { numPassedTests, numFailedTests, testResults, success } = JSON.parse(readFileSync(report, 'utf8'));
    const broken = testResults.filter(
      ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
    );
    const failed = numFailedTests + broken.length;
    return { passed: numPassedTests, failed: failed === 0 && (failure || !success) ? 1 : failed };
  });
}

// Playwright speaks for itself while it runs; the report says how many.
async function endToEnd(name, projects, variables) {
  const report = join(root, folder, `${name}.json`);
  rmSync(report, { force: true });
  await check(name, async () => {
    const [command, [playwright]] = bin('@playwright', 'test', 'cli.js');
    // A run clears the folder of its results, and some go on at the same time.
    const results = `--output=${join('test-results', projects[0])}`;
    const names = projects.map((project) => `--project=${project}`);
    const args = [playwright, 'test', '--pass-with-no-tests', results, ...names];
    const env = { ...process.env, ...variables, FLORIN_REPORT: report, FORCE_COLOR: '0' };
    const code = await new Promise((done) => {
      const child = spawn(command, args, { cwd: root, env, stdio: 'inherit' });
      stops.add(() => child.kill('SIGINT'));
      child.on('error', () => done(1));
      child.on('close', done);
    });
    if (!existsSync(report)) throw new Error('Playwright wrote no report.');
    const { stats, errors } = JSON.parse(readFileSync(report, 'utf8'));
    // A test that passed by a second try has failed.
    const failed = stats.unexpected + stats.flaky + errors.length;
    return { passed: stats.expected, failed: failed === 0 && code !== 0 ? 1 : failed };
  });
}

// Each in a world of its own, at the time that the tests of the clock spend waiting.
function chaosTests() {
  return check('the proofs, in their short form', async () => {
    const { runShortChaosTests } = await import('../e2e/chaos/short-runs.mjs');
    process.env.FLORIN_BUILT = join(root, folder, 'dist', 'server.js');
    process.env.NEXT_DIST_DIR = join(folder, 'next');
    const proved = await runShortChaosTests(Date.now() % 1_000_000_000);
    const failed = proved.filter(({ violations }) => violations.length > 0);
    for (const { name, seed, violations } of failed) {
      console.log(`${name} (seed ${seed}):\n${violations.slice(0, 10).join('\n')}`);
    }
    return { passed: proved.length - failed.length, failed: failed.length };
  });
}

// On a database of its own, too.
function ledgerSelfTest() {
  return check('the auditor reports every damage', async () => {
    const { runLedgerSelfTest } = await import('../e2e/audit/self-test.mjs');
    const { corruptions, failures } = await runLedgerSelfTest();
    for (const failure of failures) console.log(failure);
    return { passed: corruptions - failures.length, failed: failures.length };
  });
}

// Likewise.
function canaryScan() {
  return check('a marked run leaves no card behind', async () => {
    const { scanCards } = await import('../e2e/scan/scan-cards.mjs');
    const said = [];
    const folders = { pages: join(folder, 'next'), server: join(folder, 'dist') };
    const { findings, missed } = await scanCards({ ...folders, rounds: 1, say: (line) => said.push(line) });
    if (findings.length + missed.length > 0) throw new Error([...said, ...missed, ...findings].join('\n'));
  });
}

// One database, and what serves on it.
async function serve(name, choice) {
  let servers = null;
  await check(name, async () => {
    const { startServers } = await import('./test-servers.mjs');
    servers = await startServers(folder, choice);
    stops.add(servers.stopAll);
  });
  return servers;
}

// What has to hold of servers when the tests are through with them.
async function afterwards(whose, { databaseUrl, production, logs }) {
  await check(`the books that ${whose} left are in order`, async () => {
    const { verifyLedger } = await import('../e2e/audit/verify.mjs');
    const { lines, findings, payments } = await verifyLedger(databaseUrl);
    if (payments === 0) throw new Error('The tests left no payment.');
    if (findings > 0) throw new Error(lines.join('\n'));
  });
  await check('SIGTERM drains within 10 s', async () => {
    const { stopServer } = await import('./test-servers.mjs');
    const { code, seconds } = await stopServer(production);
    if (code !== 0 || seconds > 10) throw new Error(`It ended with ${code} after ${seconds} s.`);
  });
  await check('no card number in the logs', async () => {
    const { digitsThatPassLuhn } = await import('./luhn.mjs');
    const found = logs.flatMap((log) => digitsThatPassLuhn(readFileSync(log, 'utf8')));
    if (found.length > 0) throw new Error(`The logs hold ${found.length} numbers that could be cards.`);
  });
}

// A deployment has one vault, and its tests wait more than they work: on a server of their own, beside the others.
async function vaultTests(browser) {
  const servers = await serve('a server with a vault of its own starts', {
    home: join(folder, 'vault'),
    withNext: false,
  });
  if (!servers) return;
  await endToEnd('end to end with keys that change', ['vault'], { ...servers.variables, ...browser });
  await afterwards('the tests of the vault', servers);
  await servers.stopAll();
}

async function overHttp() {
  const { findBrowser } = await import('./browser.mjs');
  const browser = {};
  await check('a browser', async () => {
    browser.CHROMIUM_PATH = await findBrowser();
  });
  await check('PHP and Python', async () => {
    const { findLanguages } = await import('./languages.mjs');
    Object.assign(browser, await findLanguages());
  });
  const servers = await serve('both servers start');
  if (!servers) return;
  const variables = { ...servers.variables, ...browser };
  await endToEnd('end to end', ['api', 'api-next', 'pages'], variables);
  const beside = async () => {
    for (const proof of [chaosTests, ledgerSelfTest, canaryScan]) await proof();
  };
  await Promise.all([endToEnd('end to end with a moved clock', ['clock'], variables), vaultTests(browser), beside()]);
  await afterwards('the tests', servers);
}

async function test() {
  requireNode();
  process.chdir(root);
  // The settings of a deployment are no business of the tests.
  for (const name of ['PORT', 'BASE_URL', 'DATABASE_URL', 'VAULT_KEY', 'APP_ENV', 'LOG_LEVEL'])
    delete process.env[name];
  await installPackages();
  mkdirSync(join(root, folder), { recursive: true });
  await check('the database client', async () => (await import('./generate.mjs')).generateClient());
  // Neither needs the other, and each has stretches that fill no more than one processor.
  await Promise.all([staticChecks(), unitTests()]);
  const built = await check('build', async () => {
    const { build } = await import('./build.mjs');
    await build({ pages: join(folder, 'next'), server: join(folder, 'dist') });
  });
  if (!built) return;
  await overHttp();
}

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, async () => {
    await stopAll();
    process.exit(130);
  });
}

try {
  await test();
} catch (fault) {
  tally.failed += 1;
  console.log(fault.stack);
} finally {
  await stopAll();
}
console.log(`${tally.passed} passed, ${tally.failed} failed`);
process.exit(tally.failed === 0 ? 0 : 1);
