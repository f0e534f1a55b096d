// npm run bench -- soak: half an hour of sales and sessions at half of the peak rate with callbacks: memory, the maximum
// latency of every five minutes, and failures. Docs: docs/contributing/benchmarks.md.
//   --built   measures the last build, even if the sources have changed since
//   --short   two minutes
import type { ChildProcess } from 'node:child_process';
import type { ClientBase } from 'pg';
import { step } from '../../scripts/project.ts';
import { command, type Options, type Part } from './benchmark-part.ts';
import type { OpenResult } from './load.ts';
import { watchMemory } from './memory.ts';
import { median, printColumns } from './report.ts';
import { requestOf, type Wanted } from './requests.ts';
import { requestChild, type Stack, withStack } from './stack.ts';
import { closed, openLoad, startWorkload, times, type Workload } from './workload.ts';

const addressesMany = 20;
const memoryEverySeconds = 5;

// Each sale uses another callback address; as many sessions as sales.
function mixOf({ ports, merchants, receiver }: Workload<'silent'>): Wanted[] {
  const addresses: string[] = receiver?.said.addresses;
  const common = { port: ports.app, merchant: merchants.silent };
  return addresses.flatMap((address): Wanted[] => [
    { kind: 'sale', ...common, given: { callbackUrl: `${address}/callbacks` } },
    { kind: 'session', ...common },
  ]);
}

/** Waits for the callbacks of all sales; returns the number missing. */
async function missingCallbacks(database: ClientBase, receiver: ChildProcess): Promise<number> {
  const until = performance.now() + 120_000;
  for (;;) {
    const { rows } = await database.query(`select count(*)::int as made from callbacks`);
    const { arrived } = await requestChild(receiver, 'count');
    if (arrived >= rows[0].made || performance.now() > until) return rows[0].made - arrived;
    await new Promise((wake) => setTimeout(wake, 500));
  }
}

type Window = Omit<OpenResult, 'bySecond'> & { minutes: number };

function print(
  windows: Window[],
  { rate, memoryOf, missing }: { rate: number; memoryOf: (at: number) => number[]; missing: number },
) {
  console.log(`\n${rate} requests a second, sales and sessions in turn:\n`);
  printColumns([
    ['Minutes', 'Done', 'Failed', 'p50', 'p99', 'Slowest', 'Memory'],
    ...windows.map(({ minutes, done, offered, p50, p99, most }, at) => [
      minutes.toFixed(1),
      String(done),
      String(offered - done),
      `${p50?.toFixed(0)} ms`,
      `${p99?.toFixed(0)} ms`,
      `${most?.toFixed(0)} ms`,
      `${median(memoryOf(at)).toFixed(0)} MB`,
    ]),
  ]);
  console.log(`\nCallbacks missing: ${missing}`);
}

async function measure(stack: Stack, { short }: Options) {
  const [windowSeconds, count] = short ? ([30, 4] as const) : ([300, 6] as const);
  const workload = await step('Starting the servers', () =>
    startWorkload(stack, { merchants: { silent: {} }, addresses: addressesMany }),
  );
  const { app: port } = workload.ports;
  const mix = mixOf(workload);
  const peaks: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const requests = times(10_000, (_, at) => requestOf(mix[at % mix.length] as Wanted));
    peaks.push((await step('Peak rate', () => closed(workload, { port, seconds: 5, requests }))).perSecond);
  }
  // The first round warms up.
  const rate = Math.floor(median(peaks.slice(1)) / 2);
  const memory = watchMemory(workload.server.pid ?? 0, memoryEverySeconds);
  const windows: Window[] = [];
  for (let window = 1; window <= count; window += 1) {
    const job = { port, rate, seconds: windowSeconds, make: mix };
    const found = await step(`${window} of ${count}`, () => openLoad(workload, job));
    const { bySecond: _, ...figures } = found;
    windows.push({ minutes: (window * windowSeconds) / 60, ...figures });
  }
  const seen = memory.stop();
  const perWindow = Math.floor(seen.length / count);
  const memoryOf = (at: number) => seen.slice(at * perWindow, (at + 1) * perWindow);
  const missing = await missingCallbacks(stack.database, workload.receiver as ChildProcess);
  print(windows, { rate, memoryOf, missing });
  const failed = windows.reduce((sum, { offered, done }) => sum + offered - done, 0);
  const growth = median(memoryOf(count - 1)) - median(memoryOf(Math.min(1, count - 1)));
  const figures = [
    { name: 'Failures', value: failed, unit: '', most: 0 },
    { name: 'Callbacks missing', value: missing, unit: '', most: 0 },
    { name: 'p99, slowest part', value: Math.max(...windows.map(({ p99 }) => p99 ?? 0)), unit: 'ms' },
    { name: 'Memory at most', value: Math.max(...seen), unit: 'MB', most: 350 },
    { name: 'Memory, last part against the second', value: growth, unit: 'MB', most: 40 },
  ];
  return { figures, raw: { peaks, rate, windowSeconds, windows, memoryMb: seen, memoryEverySeconds, missing } };
}

export const part: Part = {
  name: 'soak',
  title: 'Half an hour at half of the load',
  isLong: true,
  run: (options) => withStack((stack) => measure(stack, options)),
};

await command(import.meta.url, part);
