// npm run chaos -- simulate: histories of the money path against simulated time, network, database and processes. Each
// is decided by its seed; a history that breaks a rule is shrunk and printed.
//   --histories 1000   --processes 2 (one per core by default)   --seed 1   --rates 'request lost=0.5, merchant 2=1'
//   --trace on         prints one history; --without 'client 1, request lost#2' leaves parts of it out, --before N runs
//                      the N histories before it in the same processes
import { availableParallelism } from 'node:os';
import { command, type Result } from '../chaos/command-line.ts';
import type { Rates } from './chance.ts';
import { prepare } from './prepare.ts';
import { digestOfService } from './process.ts';
import { linesOf, ratesOf } from './report.ts';
import { type Place, replay } from './shrink.ts';
import { type Done, seriesLength } from './worker.ts';
import { startWorkers } from './workers.ts';

const shownMax = 3;

/** Histories from a seed on, which share their processes. */
type Series = { from: number; count: number };
type Choice = { series: Series[]; rates?: Rates; processes?: number; say?: (line: string) => void };

/** The series of this many histories. */
export function seriesFrom(seed: number, histories: number): Series[] {
  return Array.from({ length: Math.ceil(histories / seriesLength) }, (_, place) => {
    const from = seed + place * seriesLength;
    return { from, count: Math.min(seriesLength, seed + histories - from) };
  });
}

/** Runs series of histories. Returns the broken rules, the first ones in their shortest form. */
export async function simulate({ series, rates, processes, say = () => {} }: Choice): Promise<Result> {
  const workers = startWorkers(processes);
  const sum: Done = { histories: 0, payments: 0, events: 0, met: {}, failures: [] };
  const started = performance.now();
  const service = await digestOfService();
  say(`service ${service}`);
  try {
    await Promise.all(
      series.map(async (each) => {
        const done = await workers.perform({ ...each, rates });
        add(sum, done);
        for (const { place, violation } of done.failures) say(`seed ${place.seed}: ${violation}`);
        if (sum.histories % 1000 < seriesLength) say(`${sum.histories} histories, ${sum.failures.length} violations`);
      }),
    );
    const shown = sum.failures.slice(0, shownMax).map(({ place }) => workers.perform({ shrink: place }));
    const violations = (await Promise.all(shown)).map(({ text = '' }) => text);
    for (const { place, violation } of sum.failures.slice(shownMax))
      violations.push(`seed ${place.seed}: ${violation}`);
    const seconds = (performance.now() - started) / 1000;
    const { failures, ...counts } = sum;
    return { violations, summary: { service, ...counts, failures: failures.length, seconds: Math.round(seconds) } };
  } finally {
    workers.stop();
  }
}

function add(sum: Done, { histories, payments, events, met, failures }: Done): void {
  sum.histories += histories;
  sum.payments += payments;
  sum.events += events;
  sum.failures.push(...failures);
  for (const [fault, count] of Object.entries(met)) sum.met[fault] = (sum.met[fault] ?? 0) + count;
}

async function trace(place: Place): Promise<Result> {
  const outcome = await replay(place, await prepare());
  for (const line of linesOf(outcome)) console.log(line);
  const { violations, met, events, payments } = outcome;
  return { violations, summary: { met, events, payments } };
}

await command(import.meta.url, ['histories', 'processes', 'trace', 'without', 'before', 'rates'], (options, seed) =>
  options.trace
    ? trace({
        seed,
        before: Number(options.before ?? 0),
        without: options.without?.split(',').map((name) => name.trim()) ?? [],
        rates: ratesOf(options.rates),
      })
    : simulate({
        series: seriesFrom(seed, Number(options.histories ?? 1000)),
        processes: Number(options.processes ?? availableParallelism()),
        rates: ratesOf(options.rates),
        say: console.log,
      }),
);
