/**
 * Limits how much work of one kind runs at a time per account, merchant or address. Work that waits for another party
 * runs in the background; a key at its limit gets no more until some of its work ends. A slow party delays only its own
 * work, and a round does not wait for its slowest item.
 */
import { runInBackground } from './background.ts';

/** How long a job's round waits for the work that it has started, so that short work is done when the round ends. */
export const roundMilliseconds = 100;

/** A task with its key of each kind. `run` logs its own failures if they need details. */
export type LimitedTask<Kind extends string> = { keys: { readonly [K in Kind]: string }; run: () => Promise<unknown> };

/**
 * The limits of one kind of work, called `name` in the log: `total` tasks of one process at a time, and a number per
 * key by kind of key. Limits are checked before a claim, so the last claim of a key may exceed its limit by the claimed
 * rows.
 */
export function newConcurrencyLimiter<Kind extends string>(
  name: string,
  total: number,
  limits: { readonly [K in Kind]: number },
) {
  const kinds = Object.keys(limits) as Kind[];
  const counts = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, number>()])) as {
    [K in Kind]: Map<string, number>;
  };
  let runningTasks = 0;

  function count(keys: LimitedTask<Kind>['keys'], change: 1 | -1): void {
    runningTasks += change;
    for (const kind of kinds) {
      const remaining = (counts[kind].get(keys[kind]) ?? 0) + change;
      if (remaining > 0) counts[kind].set(keys[kind], remaining);
      else counts[kind].delete(keys[kind]);
    }
  }

  function begin({ keys, run }: LimitedTask<Kind>): Promise<void> {
    count(keys, 1);
    return new Promise((ended) => {
      runInBackground(name, () =>
        run().finally(() => {
          count(keys, -1);
          ended();
        }),
      );
    });
  }

  /** How many tasks may still be claimed. */
  const free = () => Math.max(0, total - runningTasks);
  /** Starts the tasks; resolves when all have ended, or after `patience` milliseconds while they continue. */
  const start = (tasks: LimitedTask<Kind>[], patience: number) => waitAtMost(Promise.all(tasks.map(begin)), patience);

  return {
    free,
    start,
    /** The keys of a kind at their limit; a claim excludes them. */
    busy: (kind: Kind): string[] => [...counts[kind]].filter(([, tasks]) => tasks >= limits[kind]).map(([key]) => key),
    /** Claims at most `most` rows that may be claimed and starts the task of each; returns their number. */
    async claim<Row>(
      most: number,
      claimRows: (limit: number) => Promise<Row[]>,
      taskOf: (row: Row) => LimitedTask<Kind>,
      patience: number,
    ): Promise<number> {
      const limit = Math.min(most, free());
      if (limit === 0) return 0;
      const rows = await claimRows(limit);
      await start(rows.map(taskOf), patience);
      return rows.length;
    },
  };
}

async function waitAtMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((over) => {
    timer = setTimeout(over, milliseconds);
  });
  await Promise.race([work, time]);
  clearTimeout(timer);
}
