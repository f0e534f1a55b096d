// Callers that wait for a database connection, in order of arrival.

// Several bundles of this module in one process share the queue.
const stateKey = Symbol.for('florin.poolWaitQueue');
const holder = globalThis as { [stateKey]?: Set<{ at: number }> };
holder[stateKey] ??= new Set();
const waitQueue = holder[stateKey];

/** Joins the queue; the returned function leaves it. */
export function joinWaitQueue(): () => void {
  const entry = { at: performance.now() };
  waitQueue.add(entry);
  return () => {
    waitQueue.delete(entry);
  };
}

/** The number of waiting callers, and how long the first of them has waited in seconds (0 if none waits). */
export function waitQueueStats(): { length: number; seconds: number } {
  const [next] = waitQueue;
  return { length: waitQueue.size, seconds: next ? (performance.now() - next.at) / 1000 : 0 };
}
