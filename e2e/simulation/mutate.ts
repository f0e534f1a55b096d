// npm run chaos -- mutations: plants faults into the money path, one at a time, and counts the histories until the
// simulator finds each.
//   --histories 2000 (at most for each)   --seed 1   --only 'a refund' (those whose names have this text)
//   --update on   looks for the histories of regressions that no longer find their faults (regressions.ts)
import { command, type Result } from '../chaos/command-line.ts';
import { findable } from './mutations/index.ts';
import { failureOf, regressions } from './regressions.ts';
import { seriesLength } from './worker.ts';
import { startWorkers } from './workers.ts';

async function findMutation(
  workers: ReturnType<typeof startWorkers>,
  mutation: string,
  histories: number,
  seed: number,
) {
  for (let from = seed; from < seed + histories; from += seriesLength) {
    const task = { from, count: seriesLength, mutation, untilFound: true };
    const [failure] = (await workers.perform(task)).failures;
    if (failure) return { after: failure.place.seed - seed + 1, violation: failure.violation.slice(0, 160) };
  }
  return null;
}

/** Looks for every mutation that needs no raised rates; those that no history finds are violations. */
async function findMutations(histories: number, seed: number, only: string): Promise<Result> {
  const summary: Record<string, unknown> = {};
  const violations: string[] = [];
  // A worker keeps its mutation for as long as it is looked for.
  const open = findable.filter(({ name }) => name.includes(only));
  const lanes = Array.from({ length: 2 }, async () => {
    const workers = startWorkers(1);
    for (let next = open.shift(); next; next = open.shift()) {
      const found = await findMutation(workers, next.name, histories, seed);
      console.log(`${next.name}: ${found ? `${found.after} histories: ${found.violation}` : 'not found'}`);
      summary[next.name] = found?.after ?? null;
      if (!found) violations.push(`not found: ${next.name}`);
    }
    workers.stop();
  });
  await Promise.all(lanes);
  return { violations, summary };
}

/** Looks for a history for every regression that fails, and prints its seed. */
async function updateRegressions(histories: number, seed: number, only: string): Promise<Result> {
  const summary: Record<string, number> = {};
  const violations: string[] = [];
  const workers = startWorkers(1);
  for (const regression of regressions.filter(({ mutation }) => mutation.includes(only))) {
    const { mutation } = regression;
    const candidates = [regression.seed, ...Array.from({ length: histories }, (_, place) => seed + place)];
    for (const candidate of candidates) {
      if ((await failureOf({ ...regression, seed: candidate }, workers)) !== null) continue;
      summary[mutation] = candidate;
      break;
    }
    console.log(`${mutation}: ${summary[mutation] ?? 'not found'}`);
    if (summary[mutation] === undefined) violations.push(`not found: ${mutation}`);
  }
  workers.stop();
  return { violations, summary };
}

await command(import.meta.url, ['histories', 'only', 'update'], ({ histories, only = '', update }, seed) =>
  (update ? updateRegressions : findMutations)(Number(histories ?? 2000), seed, only),
);
