/**
 * Compares this process's clock with the database's on start and every few seconds, because dates, due times and
 * expiries depend on clocks and all processes share the database's. More than 2 seconds of difference is a warning in
 * the log and /readyz; over 30 seconds the process accepts no new payments. The metric is florin_clock_skew_seconds.
 */

import { env } from '../config/index.ts';
import {
  clockSkewSeconds,
  isClockWrong,
  setClockSkew,
  setTestClockSkew,
  systemMilliseconds,
  warnSkewSeconds,
} from '../db/clock.ts';
import { query } from '../db/index.ts';
import { log, metrics } from '../telemetry/index.ts';

const everyMilliseconds = 5_000;
/** Half of the round trip is the maximum error of a comparison; slower responses are discarded. */
const roundTripMillisecondsMax = 1_000;
const firstAttempts = 3;

type Level = 'right' | 'apart' | 'wrong';
let reportedLevel: Level = 'right';

/** Compares before the first request and then repeatedly until the returned function is called. */
export async function watchClock(): Promise<() => void> {
  setTestClockSkew(env.testClockSkewSeconds);
  // The first connection is slow. /healthz reports a database that does not respond at all.
  for (let attempts = 0; attempts < firstAttempts && !(await compareLogged()); attempts += 1);
  const timer = setInterval(compareLogged, everyMilliseconds).unref();
  return () => clearInterval(timer);
}

/** Returns the text for /readyz; throws if the process accepts no new payments. */
export async function clockReady(): Promise<string | undefined> {
  const seconds = clockSkewSeconds();
  if (seconds === null) return 'not compared by this process yet';
  const difference = `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database`;
  if (isClockWrong()) throw new Error(`${difference}: no new payments are taken`);
  return Math.abs(seconds) > warnSkewSeconds ? `warning: ${difference}` : difference;
}

/** Same as {@link compare}, but logs a failure and returns true. */
async function compareLogged(): Promise<boolean> {
  try {
    return await compare();
  } catch (err) {
    log.warn({ err }, 'the clock could not be compared with the database');
    return true;
  }
}

/** Returns false if the response was too slow for a comparison. */
async function compare(): Promise<boolean> {
  const sentAt = systemMilliseconds();
  const started = performance.now();
  const [row] = await query<{ at: Date }>('clock', 'select clock_timestamp() as at');
  const roundTrip = performance.now() - started;
  if (!row || roundTrip > roundTripMillisecondsMax) return false;
  const seconds = (sentAt + roundTrip / 2 - row.at.getTime()) / 1000;
  setClockSkew(seconds);
  metrics.clockSkew.set(seconds);
  reportLevel(seconds);
  return true;
}

function reportLevel(seconds: number): void {
  const level: Level = isClockWrong() ? 'wrong' : Math.abs(seconds) > warnSkewSeconds ? 'apart' : 'right';
  if (level === reportedLevel) return;
  reportedLevel = level;
  if (level === 'right') log.info({ seconds }, "this process's clock agrees with the database's again");
  else if (level === 'apart') log.warn({ seconds }, "this process's clock and the database's are more than 2 s apart");
  else
    log.error({ seconds }, "ALERT: this process's clock and the database's are more than 30 s apart: no new payments");
}
