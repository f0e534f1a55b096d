// The one source of "now" for everything that is due, expires or is dated. The sandbox's guarded clock can move it
// forward, so that schedules and expiries are tested at once instead of by sleeping. Beside it, what is known of how far this
// process's clock is from the database's.

// One process holds several bundles of this module (Next's pages and the production server), and all share one clock.
const offsetKey = Symbol.for('florin.clock.offsetMilliseconds');
const skewKey = Symbol.for('florin.clock.difference');
type ClockSkew = { seconds: number | null; testSkewMilliseconds: number };
const clockState = globalThis as { [offsetKey]?: number; [skewKey]?: ClockSkew };
clockState[skewKey] ??= { seconds: null, testSkewMilliseconds: 0 };
const clockSkew: ClockSkew = clockState[skewKey];

/**
 * The current time: the system's, corrected by its difference from the database's where that is more than a comparison may err,
 * plus what the guarded clock has advanced. What one process dates or makes due is so for all.
 */
export function now(): Date {
  const seconds = clockSkew.seconds ?? 0;
  const correction = Math.abs(seconds) > warnSkewSeconds ? seconds * 1000 : 0;
  return new Date(systemMilliseconds() - correction + clockOffsetMilliseconds());
}

/** What the guarded clock has advanced, in milliseconds: 0 outside of tests. Added to the database's now() in SQL. */
export function clockOffsetMilliseconds(): number {
  return clockState[offsetKey] ?? 0;
}

/** The system's clock, without what the guarded clock has advanced. */
export function systemMilliseconds(): number {
  return Date.now() + clockSkew.testSkewMilliseconds;
}

/** Puts this process's clock wrong by so many seconds, ahead where positive: for tests of a sandbox. */
export function setTestClockSkew(seconds: number): void {
  clockSkew.testSkewMilliseconds = seconds * 1000;
}

/** Clocks that are further apart are worth a warning; a process that is further off than the second takes no new payment. */
export const warnSkewSeconds = 2;
const maxSkewSeconds = 30;

/** Notes how many seconds this process's clock is ahead of the database's; negative behind it. */
export function setClockSkew(seconds: number): void {
  clockSkew.seconds = seconds;
}

/** How many seconds this process's clock is ahead of the database's, negative behind it; null before it was compared. */
export function clockSkewSeconds(): number | null {
  return clockSkew.seconds;
}

/** Whether this process's clock is too wrong for new payments: their times would be, and who takes over which call. */
export function isClockWrong(): boolean {
  return Math.abs(clockSkew.seconds ?? 0) > maxSkewSeconds;
}

/** Moves the clock forward by `seconds` (a sandbox's guarded address calls this) and returns the new time. */
export function advanceClock(seconds: number): Date {
  clockState[offsetKey] = clockOffsetMilliseconds() + seconds * 1000;
  return now();
}
