// Whether this process is behind: the queue for the database is long and does not get shorter. A crowd that comes at once is
// no such thing; it is worked off before anybody has to be refused.
import { lookAtLine } from '../database-line';
import { env } from '../env';

/** A queue whose next statement has waited for so long is long. */
const longSeconds = 0.1;
/** A long queue that has lasted for so long stands. */
const standingSeconds = 1;
/** For so long after one has stood the next one is taken for the same: whoever was refused comes again. */
const relapseSeconds = 10;

/**
 * Looks again and again at the queue; says whether it stands. Then nobody new is let in while more statements wait
 * than there are connections: by its length, because how long the next one has waited tells of the queue as it was when that one
 * joined it, and is short only when nothing is left to do.
 */
export function openGauge(
  look = lookAtLine,
  connections = () => env.databasePoolSize,
): (nowMilliseconds?: number) => boolean {
  let longSince: number | null = null;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let stoodAt = Number.NEGATIVE_INFINITY;
  return (now = performance.now()) => {
    const { length, seconds } = look();
    // What nobody has looked at for a while may have been short meanwhile.
    if (seconds <= longSeconds) longSince = null;
    else if (longSince === null || now - lookedAt > standingSeconds * 1000) longSince = now;
    lookedAt = now;
    const lasts = longSince !== null && now - longSince > standingSeconds * 1000;
    const stands = length > connections() && (lasts || now - stoodAt < relapseSeconds * 1000);
    if (stands) stoodAt = now;
    return stands;
  };
}
