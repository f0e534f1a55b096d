// Who waits for a connection to the database, in the order in which they came.

// Next bundles this module several times in one process; all share one line.
const stateKey = Symbol.for('florin.poolWaitQueue');
const holder = globalThis as { [stateKey]?: Set<{ at: number }> };
holder[stateKey] ??= new Set();
const waitQueue = holder[stateKey];

/** Joins the line; the function that comes back leaves it. */
export function joinWaitQueue(): () => void {
  const mark = { at: performance.now() };
  waitQueue.add(mark);
  return () => {
    waitQueue.delete(mark);
  };
}

/** The line as it is now: how many wait, and how long whoever gets the next free connection has waited for it (0 for nobody). */
export function waitQueueStats(): { length: number; seconds: number } {
  const [next] = waitQueue;
  return { length: waitQueue.size, seconds: next ? (performance.now() - next.at) / 1000 : 0 };
}
