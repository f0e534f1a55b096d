// Shared by the parts of the benchmark: each measures, prints, and returns its figures with their targets and the raw
// data. A part runs as its own command or under `npm run bench` (main.ts); both store the raw data in the same form,
// so that every figure of docs/contributing/benchmarks.md can be traced.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from '../../scripts/build.ts';
import { dataFolder, errorCode, messageOf, root } from '../../scripts/project.ts';
import { isReached, machineFacts, printColumns } from './report.ts';

/** A figure has a lower or upper target; without either it is informational. */
export type Figure = {
  name: string;
  value: number | null;
  unit: string;
  least?: number;
  most?: number;
  decimals?: number;
};

export type Options = { short: boolean; built: boolean; payments?: string; only?: string };

export type Part = {
  name: string;
  title: string;
  /** Runs only if asked for. */
  isLong?: boolean;
  run: (options: Options) => Promise<{ figures: Figure[]; raw: object }>;
};

/** A finished part: its results, or its `fault`. */
type Finished = { date: string; load: number; seconds: number; figures: Figure[]; raw: object; fault?: string };

type Run = ReturnType<typeof machine> & { builtBefore: boolean; short: boolean; parts: Record<string, Finished> };

/** Options of every benchmark command. */
export const commonOptions = {
  short: { type: 'boolean', default: false },
  built: { type: 'boolean', default: false },
  payments: { type: 'string' },
  only: { type: 'string' },
} as const;

/** Runs a part if its file is the started command; `url` is its import.meta.url. */
export async function command(url: string, part: Part): Promise<void> {
  if (!process.argv[1] || url !== pathToFileURL(process.argv[1]).href) return;
  await endWith(() => runParts([part], parseArgs({ options: commonOptions }).values));
}

/** Exits after `work`: with 1 if it returns false or fails. */
export async function endWith(work: () => Promise<boolean | undefined>): Promise<void> {
  try {
    process.exit((await work()) ? 0 : 1);
  } catch (error) {
    const isUsage = errorCode(error)?.startsWith('ERR_PARSE_ARGS');
    console.error(`\n${isUsage ? messageOf(error) : stackOf(error)}`);
    process.exit(isUsage ? 2 : 1);
  }
}

/**
 * Builds once, runs the parts one after the other, prints every figure with its target and stores the raw data. A part
 * that fails does not stop the others; returns whether none failed.
 */
export async function runParts(parts: Part[], options: Options): Promise<boolean> {
  if (!options.built) await build();
  // The build may be of another commit.
  const run: Run = { ...machine(), builtBefore: options.built, short: options.short, parts: {} };
  const file = join(dataFolder, 'bench-results', `${nameOf(run.date)}.json`);
  for (const part of parts) {
    console.log(`\n${part.title}\n`);
    printColumns(machineFacts());
    const started = performance.now();
    const begun = { date: new Date().toISOString(), load: loadavg()[0] ?? 0 };
    const found: Pick<Finished, 'figures' | 'raw' | 'fault'> = await part
      .run(options)
      .catch((error) => ({ fault: stackOf(error), figures: [], raw: {} }));
    if (found.fault) console.error(`\n${found.fault}`);
    run.parts[part.name] = { ...begun, seconds: Math.round((performance.now() - started) / 1000), ...found };
    write(file, run);
  }
  console.log('');
  printColumns(figureRows(run));
  writeFileSync(file.replace('.json', '.md'), asMarkdown(figureRows(run)));
  console.log(`\nRaw runs: ${file}`);
  return Object.values(run.parts).every(({ fault }) => fault === undefined);
}

const stackOf = (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error));

function machine() {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', 'app', 'components', 'lib', 'prisma', 'messages') !== '';
  return {
    date: new Date().toISOString(),
    commit: git('rev-parse', '--short', 'HEAD') + (changed ? ' and changes' : ''),
    cores: cpus().length,
    processor: cpus()[0]?.model.trim(),
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.versions.node,
  };
}

const nameOf = (date: string) => date.slice(0, 19).replace(/[-:]/g, '').replace('T', '-');

// Rounds the raw numbers to meaningful digits.
function write(file: string, run: Run) {
  mkdirSync(join(file, '..'), { recursive: true });
  const short = (_: string, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(6)) : value);
  // One line per part: compact, and each part easy to find.
  const { parts, ...facts } = run;
  const lines = Object.entries(parts).map(([name, part]) => `"${name}": ${JSON.stringify(part, short)}`);
  writeFileSync(file, `${JSON.stringify(facts, short).slice(0, -1)},"parts":{\n${lines.join(',\n')}\n}}\n`);
}

const verdicts = new Map<boolean | null, string>([
  [true, 'reached'],
  [false, 'NOT REACHED'],
  [null, ''],
]);

function shown(value: number | null, { unit, decimals = 0 }: Figure) {
  if (value === null) return 'none';
  const options = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return `${value.toLocaleString('en', options)} ${unit}`.trim();
}

function aimOf(figure: Figure) {
  if (figure.least !== undefined) return `at least ${shown(figure.least, figure)}`;
  return figure.most === undefined ? '' : `at most ${shown(figure.most, figure)}`;
}

/** Every figure with its target, as table rows under a header. */
function figureRows({ parts }: Run): string[][] {
  const rows = Object.entries(parts).flatMap(([name, { figures, fault, load }]) => [
    ...figures.map((figure) => [
      name,
      figure.name,
      aimOf(figure),
      shown(figure.value, figure),
      verdicts.get(isReached(figure)) ?? '',
      load.toFixed(1),
    ]),
    ...(fault ? [[name, 'failed', '', '', fault.split('\n')[0]?.slice(0, 80) ?? '', load.toFixed(1)]] : []),
  ]);
  return [['Part', 'Figure', 'Aim', 'Found', '', 'Load'], ...rows];
}

// The format of docs/contributing/benchmarks.md.
function asMarkdown([head = [], ...rows]: string[][]) {
  const line = (cells: string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head) + line(head.map(() => '---')) + rows.map(line).join('');
}
