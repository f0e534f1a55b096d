// Callers that wait for a database connection, in order of arrival, and whether the process is overloaded: the queue is
// long and does not get shorter. A burst of requests is no overload; the process works it off without refusals.

import { env } from '../config/index.ts';
import { processWide } from '../core/process-wide.ts';

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

/** The queue is long when its first statement has waited this long. */
const longWaitSeconds = 0.1;
/** A queue that is long for this time means overload. */
const sustainedSeconds = 1;
/** The overload ends when the queue was not crowded for this time. */
const recoverySeconds = 0.5;
/** For this long after an overload, a crowded queue is one sooner: refused clients send their requests again. */
const relapseSeconds = 10;
const relapseSustainedSeconds = 0.25;

/**
 * Returns a function that samples the queue and reports whether to refuse a new request: the process is overloaded and
 * the queue is crowded (more statements wait than there are connections). Crowding is measured by the length, because
 * the first statement's wait time describes the queue as it was when that statement joined. A short burst, for example
 * after an event loop delay, is no overload.
 */
export function overloadDetector(
  sample = waitQueueStats,
  connections = () => env.databasePoolSize,
): (nowMilliseconds?: number) => boolean {
  const long = durationTracker();
  const crowded = durationTracker();
  let overloaded = false;
  let crowdedAt = Number.NEGATIVE_INFINITY;
  let overloadedAt = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    const { length, seconds } = sample();
    const isCrowded = length > connections();
    if (now - crowdedAt > recoverySeconds * 1000) overloaded = false;
    const longFor = long(seconds > longWaitSeconds, now);
    const crowdedFor = crowded(isCrowded, now);
    if (!isCrowded) return false;
    crowdedAt = now;
    const relapses = now - overloadedAt < relapseSeconds * 1000 && crowdedFor > relapseSustainedSeconds * 1000;
    overloaded ||= longFor > sustainedSeconds * 1000 || relapses;
    if (overloaded) overloadedAt = now;
    return overloaded;
  };
}

// Returns for how many milliseconds a condition has held in every sample. A long gap between samples starts again at 0.
function durationTracker(): (holds: boolean, now: number) => number {
  let since: number | null = null;
  let sampledAt = Number.NEGATIVE_INFINITY;
  return (holds, now) => {
    if (!holds) since = null;
    else if (since === null || now - sampledAt > sustainedSeconds * 1000) since = now;
    sampledAt = now;
    return since === null ? 0 : now - since;
  };
}
