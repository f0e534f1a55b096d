// The source of the current time for due rows, expiries and timestamps. The sandbox's guarded clock can move it
// forward, so that tests of schedules and expiries need no waiting. Also stores the difference between this process's
// clock and the database's.

import { processWide } from '../core/process-wide.ts';

type ClockState = { offsetMilliseconds: number; seconds: number | null; testSkewMilliseconds: number };
const clockState = processWide(
  'clock',
  (): ClockState => ({ offsetMilliseconds: 0, seconds: null, testSkewMilliseconds: 0 }),
);

/**
 * The current time: the system's, corrected by its difference from the database's if that exceeds the warning limit,
 * plus the offset of the guarded clock. All processes therefore agree on due times.
 */
export function now(): Date {
  const seconds = clockState.seconds ?? 0;
  const correction = Math.abs(seconds) > warnSkewSeconds ? seconds * 1000 : 0;
  return new Date(systemMilliseconds() - correction + clockOffsetMilliseconds());
}

/** The guarded clock's offset in milliseconds: 0 outside of tests. Added to the database's now() in SQL. */
export function clockOffsetMilliseconds(): number {
  return clockState.offsetMilliseconds;
}

/** The system clock, without the guarded clock's offset. */
export function systemMilliseconds(): number {
  return Date.now() + clockState.testSkewMilliseconds;
}

/** Shifts this process's clock by seconds, ahead if positive: for tests of a sandbox. */
export function setTestClockSkew(seconds: number): void {
  clockState.testSkewMilliseconds = seconds * 1000;
}

/** Larger differences are logged; above the second limit a process creates no new payments. */
export const warnSkewSeconds = 2;
const maxSkewSeconds = 30;

/** Stores how many seconds this process's clock is ahead of the database's; negative if behind. */
export function setClockSkew(seconds: number): void {
  clockState.seconds = seconds;
}

/** Seconds that this process's clock is ahead of the database's; null before the first comparison. */
export function clockSkewSeconds(): number | null {
  return clockState.seconds;
}

/** Whether this process's clock is too wrong for new payments: their due times and claims would be wrong. */
export function isClockWrong(): boolean {
  return Math.abs(clockState.seconds ?? 0) > maxSkewSeconds;
}

/** Moves the clock forward by `seconds` (called by a sandbox's guarded route) and returns the new time. */
export function advanceClock(seconds: number): Date {
  clockState.offsetMilliseconds = clockOffsetMilliseconds() + seconds * 1000;
  return now();
}
