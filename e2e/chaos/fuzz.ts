// npm run chaos -- fuzz: sends mutated inputs to every parser, called directly and behind the addresses of a running
// server. No input may throw an exception that the parser does not declare, get an answer of 500 or without the
// contract's error body, delay the event loop by more than 100 ms, or leave a card number in an answer or a log.
//   --target form|json|multipart|asn1|emv|notifications|csv|jws|documents (all by default)   --seconds 3600 (each)
//   --seed N   --parser 'PKCS #12' (one parser of the target)   --input BASE64 (one input that was printed before)

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { command, type Result } from './command-line.ts';
import { type Edge, startEdge } from './fuzz/edge.ts';
import type { Parser } from './fuzz/parser.ts';
import { parsersOf, type Target, targets } from './fuzz/parsers.ts';

/** The maximum delay of the event loop by one input. */
const eventLoopDelayMillisecondsMax = 100;

type Choice = {
  targets?: readonly Target[];
  /** The only parser to call, without a server. */
  only?: string;
  /** Without it, the parsers are called behind their addresses only. */
  direct?: boolean;
  seconds: number;
  seed: number;
  timed?: boolean;
};

/** The inputs of one parser or address, and the one that took longest. */
type Run = { inputs: number; slowestMilliseconds: number; slowest: Buffer };

/** Runs the test; `seconds` is the time of each target, half of it behind the addresses of a server. */
export async function runFuzzTest({ targets: chosen = targets, ...choice }: Choice): Promise<Result> {
  const results: Results = { violations: [], summary: {} };
  const edge = choice.only === undefined ? await startEdge() : null;
  try {
    for (const target of chosen) await fuzzTarget(target, edge, choice, results);
  } finally {
    await edge?.stop();
  }
  return results;
}

type Results = { violations: string[]; summary: { [name: string]: unknown } };

async function fuzzTarget(target: Target, edge: Edge | null, choice: Omit<Choice, 'targets'>, results: Results) {
  const { only, direct = true, seconds, seed, timed = true } = choice;
  const { violations, summary } = results;
  const all = direct ? Object.entries(await parsersOf(target)) : [];
  const parsers = all.filter(([name]) => only === undefined || name === only);
  const addresses = edge ? await edge.addressesOf(target) : [];
  const directSeconds = parsers.length === 0 ? 0 : addresses.length > 0 ? seconds / 2 : seconds;
  const alone = { seed, seconds: directSeconds / parsers.length, delayOf: timed ? ownDelay : null };
  const counts = (run: Run) => ({ inputs: run.inputs, slowestMilliseconds: run.slowestMilliseconds });
  for (const [name, parser] of parsers) {
    summary[`${target}: ${name}`] = counts(await fuzz(`${target}: ${name}`, parser, alone, violations));
  }
  if (!edge || addresses.length === 0) return;
  await edge.eventLoopDelay();
  const behind = { seed, seconds: seconds - directSeconds, delayOf: null };
  const runs = await Promise.all(addresses.map(([name, parser]) => fuzz(name, parser, behind, violations)));
  for (const [place, [name]] of addresses.entries()) summary[name] = counts(runs[place] as Run);
  const milliseconds = await edge.eventLoopDelay();
  summary[`${target}: event-loop delay of the server`] = milliseconds;
  violations.push(...(await edge.violationsOf(target)));
  if (!timed || milliseconds <= eventLoopDelayMillisecondsMax) return;
  // Many requests at once on a busy machine delay it too: the slowest of each address is repeated alone.
  for (const [place, [name, parser]] of addresses.entries()) {
    const { slowest } = runs[place] as Run;
    const least = await leastDelay(async () => {
      await edge.eventLoopDelay();
      await parser.parse(slowest);
      return edge.eventLoopDelay();
    });
    if (least > eventLoopDelayMillisecondsMax) violations.push(`${name}: ${delayed(least, slowest)}`);
  }
}

const delayed = (milliseconds: number, input: Buffer) =>
  `the event loop was delayed by ${milliseconds} ms\n  --input ${input.toString('base64')}`;

type Fuzzing = {
  seed: number;
  seconds: number;
  /** Measures the delay of this process's event loop; null if that says nothing. */
  delayOf: ((run: () => unknown) => Promise<number>) | null;
};

/** Calls the parser with mutated inputs. The first violation ends it, after the input was minimised. */
async function fuzz(
  name: string,
  { inputs, parse }: Parser,
  { seed, seconds, delayOf }: Fuzzing,
  violations: string[],
): Promise<Run> {
  const run: Run = { inputs: 0, slowestMilliseconds: 0, slowest: Buffer.alloc(0) };
  const property = fc.asyncProperty(inputs, async (input) => {
    run.inputs += 1;
    const started = performance.now();
    await parse(input);
    const milliseconds = Math.round(performance.now() - started);
    if (milliseconds >= run.slowestMilliseconds)
      Object.assign(run, { slowestMilliseconds: milliseconds, slowest: input });
    if (delayOf && milliseconds > eventLoopDelayMillisecondsMax) {
      const least = await leastDelay(() => delayOf(() => parse(input)));
      if (least > eventLoopDelayMillisecondsMax) throw new Error(`the event loop was delayed by ${least} ms`);
    }
    // Otherwise no timer of this process would ever run.
    if (run.inputs % 64 === 0) await setImmediate();
  });
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: 2 ** 31 - 1,
    interruptAfterTimeLimit: seconds * 1000,
    markInterruptAsFailure: false,
  });
  if (failed && counterexample) {
    const [input] = counterexample;
    const stack = errorInstance instanceof Error ? errorInstance.stack : String(errorInstance);
    const where = stack?.split('\n').slice(0, 4).join('\n');
    violations.push(`${name} (seed ${seed}): ${where}\n  --input ${input.toString('base64')}`);
  }
  return run;
}

/** The least of five measurements; a single one may have waited for the garbage collector or the processor. */
async function leastDelay(measure: () => Promise<number>): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let time = 1; time <= 5 && least > eventLoopDelayMillisecondsMax; time += 1) {
    least = Math.min(least, await measure());
  }
  return least;
}

/** The maximum delay of the event loop during a run in milliseconds, at most the processor time of its thread. */
async function ownDelay(run: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  await setTimeout(5);
  await run();
  await setTimeout(5);
  monitor.disable();
  const { user, system } = process.threadCpuUsage(before);
  return Math.round(Math.min(monitor.max / 1e6, (user + system) / 1000));
}

/** Runs one input of one parser. */
async function runInput(target: Target, name: string | undefined, input: string): Promise<Result> {
  const parsers = await parsersOf(target);
  const parser = parsers[name ?? ''];
  if (!parser) throw new Error(`--parser must be one of: ${Object.keys(parsers).join(', ')}`);
  const bytes = Buffer.from(input, 'base64');
  await parser.parse(bytes);
  const least = await leastDelay(() => ownDelay(() => parser.parse(bytes)));
  return { violations: least > eventLoopDelayMillisecondsMax ? [delayed(least, bytes)] : [], summary: { least } };
}

function targetOf(text: string | undefined): Target | undefined {
  if (text === undefined || text === 'all') return undefined;
  const target = targets.find((each) => each === text);
  if (!target) throw new Error(`--target must be one of: ${targets.join(', ')}, all`);
  return target;
}

await command(import.meta.url, ['target', 'seconds', 'parser', 'input'], async (options, seed) => {
  const target = targetOf(options.target);
  if (target && options.input !== undefined) return runInput(target, options.parser, options.input);
  const choice = { ...(target && { targets: [target] }), only: options.parser };
  return runFuzzTest({ ...choice, seconds: Number(options.seconds ?? 3600), seed });
});
