// Callers that wait for a database connection, in order of arrival.

import { processWide } from '../core/process-wide';

const waitQueue = processWide('poolWaitQueue', () => new Set<{ at: number }>());

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
