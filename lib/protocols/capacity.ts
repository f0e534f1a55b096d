// Whether this process is behind: the queue for the database is long and does not get shorter. A crowd that comes at once is
// no such thing; it is worked off before anybody has to be refused.
import { secondsInLine } from '../database-line';

/** A queue whose next statement has waited for so long is long. */
const longSeconds = 0.1;
/** A long queue that has lasted for so long stands. */
const standingSeconds = 1;
/** For so long after one has stood the next long queue is taken for the same one: whoever was refused comes again. */
const relapseSeconds = 10;

/** Looks again and again at how long whoever is next has waited; says whether the queue stands. */
export function openGauge(waited: () => number = secondsInLine): (nowMilliseconds?: number) => boolean {
  let longSince: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stoodAt = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    const isLong = waited() > longSeconds;
    // What nobody has looked at for a while may have been short meanwhile.
    if (!isLong) longSince = null;
    else if (longSince === null || now - lookedAt > standingSeconds * 1000) longSince = now;
    lookedAt = now;
    const lasts = longSince !== null && now - longSince > standingSeconds * 1000;
    const stands = lasts || (isLong && now - stoodAt < relapseSeconds * 1000);
    if (stands) stoodAt = now;
    return stands;
  };
}
