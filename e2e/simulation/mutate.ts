// npm run chaos -- mutations: plants faults into the money path, one at a time, and counts the histories until the
// simulator finds each.
//   --histories 2000 (at most for each)   --seed 1   --only 'a refund' (those whose names have this text)
//   --update on   looks for the histories of regressions that no longer find their faults (regressions.ts)
import { command, type Result } from '../chaos/command-line.ts';
import { findable } from './mutations/index.ts';
import { failureOf, type Regression, regressions } from './regressions.ts';
import { seriesLength } from './worker.ts';
import { startWorkers } from './workers.ts';

/** What is looked for: a mutation, with raised rates if it needs them. */
type Wanted = Pick<Regression, 'mutation'> & Partial<Pick<Regression, 'rates'>>;
type Workers = ReturnType<typeof startWorkers>;

async function findMutation(workers: Workers, { mutation, rates }: Wanted, histories: number, seed: number) {
  for (let from = seed; from < seed + histories; from += seriesLength) {
    const task = { from, count: seriesLength, rates, mutation, untilFound: true };
    const [failure] = (await workers.perform(task)).failures;
    if (failure) return failure;
  }
  return null;
}

/** Runs `find` for every item in two processes: a worker keeps its mutation for as long as it is looked for. */
async function inTwoLanes<Item>(items: Item[], find: (item: Item, workers: Workers) => Promise<void>): Promise<void> {
  const open = [...items];
  const lanes = Array.from({ length: 2 }, async () => {
    const workers = startWorkers(1);
    for (let next = open.shift(); next; next = open.shift()) await find(next, workers);
    workers.stop();
  });
  await Promise.all(lanes);
}

/** Looks for every mutation that needs no raised rates; those that no history finds are violations. */
async function findMutations(histories: number, seed: number, only: string): Promise<Result> {
  const summary: Record<string, unknown> = {};
  const violations: string[] = [];
  const wanted = findable.filter(({ name }) => name.includes(only));
  await inTwoLanes(wanted, async ({ name }, workers) => {
    const found = await findMutation(workers, { mutation: name }, histories, seed);
    const after = found && found.place.seed - seed + 1;
    console.log(`${name}: ${found ? `${after} histories: ${found.violation.slice(0, 160)}` : 'not found'}`);
    summary[name] = after;
    if (!found) violations.push(`not found: ${name}`);
  });
  return { violations, summary };
}

/** Looks for a history for every regression that fails, and prints its place. */
async function updateRegressions(histories: number, seed: number, only: string): Promise<Result> {
  const summary: Record<string, object> = {};
  const violations: string[] = [];
  const wanted = regressions.filter(({ mutation }) => mutation.includes(only));
  await inTwoLanes(wanted, async (regression, workers) => {
    const { mutation } = regression;
    if ((await failureOf(regression, workers)) === null) return;
    const place = (await findMutation(workers, regression, histories, seed))?.place;
    const failure = place ? await failureOf({ ...regression, ...place }, workers) : 'not found';
    console.log(`${mutation}: ${failure ?? JSON.stringify(place)}`);
    if (place) summary[mutation] = place;
    if (failure) violations.push(`${mutation}: ${failure}`);
  });
  return { violations, summary };
}

await command(import.meta.url, ['histories', 'only', 'update'], ({ histories, only = '', update }, seed) =>
  (update ? updateRegressions : findMutations)(Number(histories ?? 2000), seed, only),
);
