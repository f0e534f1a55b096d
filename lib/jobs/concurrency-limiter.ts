/**
 * How much of a kind of work one process has under way for each account, merchant or address. Work that waits for another
 * party is started in the background, and a key whose share is used up gets no more until some of it has ended: a party that
 * hangs delays its own work only, and no round waits for the slowest of what it has started.
 */
import { runInBackground } from './background';

/** How long a round of a job waits for what it has started, so that quick work is done when the round ends. */
export const roundMilliseconds = 100;

/** A piece of work with the key of each kind that it counts for. `run` logs its own failures where they need more words. */
export type LimitedTask<Kind extends string> = { keys: { readonly [K in Kind]: string }; run: () => Promise<unknown> };

/**
 * The shares of one kind of work, called `name` in the log: `total` pieces of one process at a time, and by kind of key how
 * many of one key. A share is looked at before a claim, so that the last claim of a key may exceed it by what it claims.
 */
export function newConcurrencyLimiter<Kind extends string>(
  name: string,
  total: number,
  shares: { readonly [K in Kind]: number },
) {
  const kinds = Object.keys(shares) as Kind[];
  const counts = Object.fromEntries(kinds.map((kind) => [kind, new Map<string, number>()])) as {
    [K in Kind]: Map<string, number>;
  };
  let underWay = 0;

  function count(keys: LimitedTask<Kind>['keys'], change: 1 | -1): void {
    underWay += change;
    for (const kind of kinds) {
      const left = (counts[kind].get(keys[kind]) ?? 0) + change;
      if (left > 0) counts[kind].set(keys[kind], left);
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

  return {
    /** How many pieces may still be claimed. */
    free: () => Math.max(0, total - underWay),
    /** The keys of a kind whose share is used up: a claim leaves them out. */
    busy: (kind: Kind): string[] =>
      [...counts[kind]].filter(([, pieces]) => pieces >= shares[kind]).map(([key]) => key),
    /** Starts the pieces; resolves when all have ended, or after `patience` milliseconds while they go on. */
    start: (pieces: LimitedTask<Kind>[], patience: number) => waitAtMost(Promise.all(pieces.map(begin)), patience),
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
