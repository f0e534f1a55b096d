// Whether this process is behind: the queue for the database is long and does not get shorter. A crowd that comes at once is
// no such thing; it is worked off before anybody has to be refused.

import { env } from '../../config';
import { waitQueueStats } from '../../db/pool-wait-queue';

/** A queue whose next statement has waited for so long is long. */
const longWaitSeconds = 0.1;
/** A long queue that has lasted for so long stands. */
const sustainedSeconds = 1;
/** A queue that nobody has found crowded for so long does not stand any more. */
const recoverySeconds = 0.5;
/** For so long after one has stood the next crowd is taken for the same as soon as it lasts: whoever was refused comes again. */
const relapseSeconds = 10;
const relapseSustainedSeconds = 0.25;

/**
 * Looks again and again at the queue; says whether somebody new has to be refused: the queue stands, and it is crowded, which
 * is that more statements wait than there are connections. By its length, because how long the next one has waited tells of
 * the queue as it was when that one joined it, and is short only when nothing is left to do. A moment's crowd, as when the
 * process has stood still for a while, is nobody's fault.
 */
export function overloadDetector(
  look = waitQueueStats,
  connections = () => env.databasePoolSize,
): (nowMilliseconds?: number) => boolean {
  const long = durationTracker();
  const crowded = durationTracker();
  let stands = false;
  let crowdedAt = Number.NEGATIVE_INFINITY;
  let stoodAt = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    const { length, seconds } = look();
    const isCrowded = length > connections();
    if (now - crowdedAt > recoverySeconds * 1000) stands = false;
    const longFor = long(seconds > longWaitSeconds, now);
    const crowdedFor = crowded(isCrowded, now);
    if (!isCrowded) return false;
    crowdedAt = now;
    const relapses = now - stoodAt < relapseSeconds * 1000 && crowdedFor > relapseSustainedSeconds * 1000;
    stands ||= longFor > sustainedSeconds * 1000 || relapses;
    if (stands) stoodAt = now;
    return stands;
  };
}

// For how many milliseconds something has been so at every look. What nobody has looked at for a while may have been otherwise.
function durationTracker(): (isSo: boolean, now: number) => number {
  let since: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  return (isSo, now) => {
    if (!isSo) since = null;
    else if (since === null || now - lookedAt > sustainedSeconds * 1000) since = now;
    lookedAt = now;
    return since === null ? 0 : now - since;
  };
}
