// npm run scan:cards: checks that no card number and no security code is stored anywhere the service writes to. It
// starts its own database and server, sends canary numbers over every input, stops both, and searches every byte: data
// folder, write-ahead log, logs, an export of every table, callbacks and responses.
//   npm run florin -- scan [--rounds N] [--build FOLDER]
// --rounds: repetitions (5). --build: a folder with next/ and dist/ to use as they are; otherwise it builds what is
// outdated.
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { ClientBase } from 'pg';
import { bundle } from '../../scripts/bundle.ts';
import { run } from '../../scripts/install.ts';
import { migrate } from '../../scripts/migrate.ts';
import { freePorts } from '../../scripts/ports.ts';
import { removePostgres, startPostgres } from '../../scripts/postgres.ts';
import { root } from '../../scripts/project.ts';
import { launch, ready, type Server, sandboxSettings, stopServer } from '../runner/servers.ts';
import { demoRemoval } from '../support/production-database.ts';
import type { Finding } from './search.ts';

type Scan = typeof import('./index.ts');
type Canaries = ReturnType<Scan['drawCanaries']>;
type Say = (line: string) => void;

/** The folders of the build, relative to the project. */
type Choice = { pages: string; server: string; rounds: number; say?: Say };

/** A run: its folder, what it sends, and the controls that it must find. */
type Run = { home: string; scan: Scan; canaries: Canaries; controls: Canaries; say: Say };

/**
 * Runs the scan on a build; returns the findings, and the control canaries that were not found. Findings that can all be
 * chance decide nothing: the scan runs once more with other canaries, and sends every input each of its three codes. Codes
 * that are stored are then found beside one another.
 */
export async function scanCards({ say = console.log, ...choice }: Choice) {
  const first = await scanOnce({ ...choice, say });
  if (!first.chance || first.missed.length > 0) return first;
  for (const line of first.findings) say(`${line}. This can be chance: the scan is repeated.`);
  const second = await scanOnce({ ...choice, rounds: 3 * choice.rounds, say });
  if (!second.chance) return second;
  for (const line of second.findings) say(`${line}. The other codes are not there: this is chance.`);
  return { ...second, findings: [] };
}

async function scanOnce({ pages, server, rounds, say }: Choice & { say: Say }) {
  const home = join(root, '.data', `scan-${process.pid}`);
  rmSync(home, { recursive: true, force: true });
  mkdirSync(home, { recursive: true });
  const folder = join(home, 'postgres');
  try {
    const scan = await import('./index.ts');
    const canaries = scan.drawCanaries();
    const controls = scan.drawControls(canaries);
    const own = { home, scan, canaries, controls, say };
    const files = await runWithCanaries({ ...own, folder, pages, server, rounds });
    return evaluate({ ...own, files });
  } finally {
    await removePostgres(folder);
    rmSync(home, { recursive: true, force: true });
  }
}

async function runWithCanaries({
  home,
  folder,
  pages,
  server,
  rounds,
  scan,
  canaries,
  controls,
  say,
}: Run & Choice & { folder: string }) {
  const postgres = await startPostgres({ folder });
  const { default: pg } = await import('pg');
  const database = new pg.Client({ connectionString: postgres.url });
  const serving: Server[] = [];
  try {
    await database.connect();
    // No segment of the log is overwritten before the search.
    await database.query("alter system set wal_keep_size = '4GB'");
    await database.query('select pg_reload_conf()');
    await migrate(postgres.url);
    const [port, livePort] = await freePorts(2);
    const settings = {
      ...sandboxSettings(postgres.url),
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      LOG_LEVEL: 'trace',
      NEXT_DIST_DIR: pages,
      // The same cards are declined repeatedly, on purpose.
      CARD_TESTING: 'session=1000000 card=1000000 address=1000000 bin=1000000 merchant=1000000',
    };
    await bundle('e2e/seed/main.ts', join(home, 'seed.mjs'));
    await run(process.execPath, [join(home, 'seed.mjs')], settings);
    await database.query(demoRemoval());
    // The second server takes live payments, so that it stores every number sealed; its provider is the first one's
    // sandbox.
    const live = { APP_ENV: 'production', TEST_CONTROL_TOKEN: '', BASE_URL: `http://localhost:${livePort}` };
    const script = join(root, server, 'server.js');
    const sandbox = launch('sandbox', [script], settings, home);
    const production = launch('production', [script], { ...settings, ...live, PORT: String(livePort) }, home);
    serving.push(sandbox, production);
    await Promise.all([ready(sandbox, port), ready(production, livePort)]);
    const exported = join(home, 'export.txt');
    const between = () => exportTables(database, exported);
    for (const [name, at] of Object.entries({ sandbox: port, production: livePort })) {
      const target = { url: `http://localhost:${at}`, live: name === 'production' };
      const sent = await scan.sendCanaries(target, canaries, rounds, between);
      const ends = Object.entries(sent.outcomes).map(([end, count]) => `${count} ${end}`);
      say(`Sent ${sent.requests} requests to the ${name} server: ${ends.join(', ')}.`);
      appendFileSync(join(home, 'answers.txt'), sent.answers.join('\n'));
      appendFileSync(join(home, 'callbacks.txt'), sent.callbacks.join('\n'));
    }
    await Promise.all(serving.map(stopServer));
    await printPayments(database, say);
    await scan.insertControls(controls, (sql, values) => database.query(sql, values), join(home, 'production.log'));
    await exportTables(database, exported);
    await database.query('checkpoint');
  } finally {
    for (const { process: child } of serving) child.kill('SIGKILL');
    await database.end();
    await postgres.stop();
  }
  const { data } = JSON.parse(readFileSync(join(folder, 'home.json'), 'utf8'));
  return filesOf(home).concat(data.startsWith(home) ? [] : filesOf(data));
}

// The scan needs enough paid payments and stored cards to be meaningful.
async function printPayments(database: ClientBase, say: Say) {
  const { rows: states } = await database.query(
    'select state::text, count(*)::int from payments group by 1 order by 2 desc',
  );
  const { rows: cards } = await database.query('select count(*)::int as kept, count(sealed)::int as sealed from cards');
  const [{ kept, sealed }] = cards;
  const paid = states.find(({ state }) => state === 'settled')?.count ?? 0;
  say(
    `Payments: ${states.map(({ state, count }) => `${count} ${state}`).join(', ')}; ${kept} cards, ${sealed} sealed.`,
  );
  if (paid < 20 || sealed < 20) throw new Error('Too few payments succeeded for a meaningful scan.');
}

// Every row as text: PostgreSQL compresses values in its files. Sealed bytes appear as hexadecimal.
async function exportTables(database: ClientBase, file: string) {
  const { rows } = await database.query(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1",
  );
  for (const { name } of rows) {
    const { rows: lines } = await database.query(`select t::text as line from ${name} t`);
    appendFileSync(file, lines.map(({ line }) => `${name} ${line}\n`).join(''));
  }
}

const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

/** The kind of a file, as the report names it. */
function placeOf(file: string) {
  if (/answers\.txt$/.test(file)) return 'answers';
  if (/callbacks\.txt$/.test(file)) return 'callbacks';
  if (/export\.txt$/.test(file)) return 'export';
  if (/\.log$/.test(file)) return 'log';
  return file.includes('/pg_wal/') ? 'write-ahead log' : 'data folder';
}

function evaluate({ home, files, scan, canaries, controls, say }: Run & { files: string[] }) {
  const searcher = scan.prepareSearch({ sent: canaries, controls });
  const drawn = new Set(scan.drawnNumbers(canaries).map(scan.masked));
  const examples = new Set(canaries.numbers.map(scan.masked).filter((number) => !drawn.has(number)));
  const findings: Finding[] = [];
  const sums = new Map<string, { files: number; bytes: number }>();
  for (const file of files.filter((each) => !/seed\.mjs$|home\.json$/.test(each))) {
    const place = placeOf(file);
    const before = searcher.bytes;
    findings.push(...searcher.search(file));
    const sum = sums.get(place) ?? { files: 0, bytes: 0 };
    sums.set(place, { files: sum.files + 1, bytes: sum.bytes + searcher.bytes - before });
  }
  for (const [place, { files: count, bytes }] of sums) {
    say(`Searched the ${place}: ${count} files, ${(bytes / 1e6).toFixed(1)} MB.`);
  }
  say(
    `Looked for ${canaries.numbers.length} card numbers: their digits with up to 3 bytes between, forwards and backwards, ` +
      `also in UTF-16; for them and ${canaries.words.length} canary codes: ${searcher.forms} other encodings.`,
  );
  const counted = scan.compareCodes(searcher.counts, canaries);
  for (const { digits, sent, counted: found, usual } of counted) {
    const often = `sent ${sent.join(', ')} times, found ${found.join(', ')} times`;
    say(`Codes of ${digits} digits: ${often}; of the unsent ones 95 in 100 occur up to ${usual} times.`);
  }
  // Pages show the sandbox's cards as examples: in responses only the drawn numbers count.
  const real = findings.filter(
    ({ group, file, what }) => group === 'sent' && !(placeOf(file) === 'answers' && examples.has(what)),
  );
  const lines = scan.describe(real.map((each) => ({ ...each, file: relative(home, each.file) })));
  const counting = counted.filter(({ leaked }) => leaked);
  const chance = counting.length === 0 && real.length > 0 && real.every((each) => scan.canBeChance(each, real));
  for (const { digits } of counting) {
    lines.push(`codes of ${digits} digits: all occur as often as they were sent`);
  }
  const test = findings.filter(({ group }) => group === 'controls');
  const missed = scan.missedControls(test, scan.compareCodes(searcher.counts, controls), placeOf);
  say(`Wrote ${scan.controlForms} control canaries: ${scan.controlForms - missed.length} found.`);
  return { findings: lines, missed, chance };
}

async function main() {
  process.chdir(root);
  const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5' }, build: { type: 'string' } } });
  if (!/^[1-9]\d{0,3}$/.test(values.rounds)) throw new Error('--rounds must be a number from 1 to 9999.');
  // The tests' build, so that a running server keeps its own.
  const folder = values.build ?? join('.data', 'test');
  const folders = { pages: join(folder, 'next'), server: join(folder, 'dist') };
  if (!values.build) await (await import('../../scripts/build.ts')).build(folders);
  const { findings, missed } = await scanCards({ ...folders, rounds: Number(values.rounds) });
  for (const line of missed) console.log(`MISSED ${line}`);
  for (const line of findings) console.log(`FOUND ${line}`);
  console.log(`${findings.length} findings.`);
  if (findings.length + missed.length > 0) process.exitCode = 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  await main().catch((error) => {
    console.error(error.message);
    process.exitCode = 1;
  });
}
