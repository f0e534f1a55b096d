// The one source of "now" for everything that is due, expires or is dated. The sandbox's guarded clock can move it
// forward, so that schedules and expiries are tested at once instead of by sleeping.

// One process holds several bundles of this module (Next's pages and the production server), and all share one clock.
const offsetKey = Symbol.for('florin.clock.offsetMilliseconds');
const held = globalThis as { [offsetKey]?: number };

/** The current time: the system's, plus what the guarded clock has advanced. */
export function now(): Date {
  return new Date(Date.now() + clockOffsetMilliseconds());
}

/** What the guarded clock has advanced, in milliseconds: 0 outside of tests. Added to the database's now() in SQL. */
export function clockOffsetMilliseconds(): number {
  return held[offsetKey] ?? 0;
}

/** Moves the clock forward by `seconds` (a sandbox's guarded address calls this) and returns the new time. */
export function advanceClock(seconds: number): Date {
  held[offsetKey] = clockOffsetMilliseconds() + seconds * 1000;
  return now();
}
