/**
 * Compares this process's clock with the database's, on start and every few seconds. What is dated, due or expires is told by
 * clocks; the database's is the one that all processes share. More than 2 seconds apart is a warning in the log and /readyz;
 * with more than 30 this process takes no new payments. The figure is florin_clock_skew_seconds.
 */

import { env } from '../config';
import { query } from '../db';
import {
  clockSkewSeconds,
  isClockWrong,
  setClockSkew,
  setTestClockSkew,
  systemMilliseconds,
  warnSkewSeconds,
} from '../db/clock';
import { log, metrics } from '../telemetry';

const everyMilliseconds = 5_000;
/** The answer was made somewhere between question and answer: half of the way is what a comparison may err by. */
const roundTripMillisecondsMax = 1_000;
const firstTries = 3;

type Level = 'right' | 'apart' | 'wrong';
let reportedLevel: Level = 'right';

/** Compares once, before the first request is taken, and from then on until the returned function is called. */
export async function watchClock(): Promise<() => void> {
  setTestClockSkew(env.testClockSkewSeconds);
  // The first connection takes its time; a database that does not answer at all is what /healthz tells of.
  for (let tries = 0; tries < firstTries && !(await compareLogged()); tries += 1);
  const timer = setInterval(compareLogged, everyMilliseconds).unref();
  return () => clearInterval(timer);
}

/** What /readyz says; throws where this process takes no new payments. */
export async function clockReady(): Promise<string | undefined> {
  const seconds = clockSkewSeconds();
  if (seconds === null) return 'not compared by this process yet';
  const said = `${Math.abs(seconds).toFixed(1)} s ${seconds < 0 ? 'behind' : 'ahead of'} the database`;
  if (isClockWrong()) throw new Error(`${said}: no new payments are taken`);
  return Math.abs(seconds) > warnSkewSeconds ? `warning: ${said}` : said;
}

/** As {@link compare}; true for a failure too, which is logged. */
async function compareLogged(): Promise<boolean> {
  try {
    return await compare();
  } catch (err) {
    log.warn({ err }, 'the clock could not be compared with the database');
    return true;
  }
}

/** False where the answer took too long to say anything. */
async function compare(): Promise<boolean> {
  const asked = systemMilliseconds();
  const started = performance.now();
  const [row] = await query<{ at: Date }>('clock', 'select clock_timestamp() as at');
  const way = performance.now() - started;
  if (!row || way > roundTripMillisecondsMax) return false;
  const seconds = (asked + way / 2 - row.at.getTime()) / 1000;
  setClockSkew(seconds);
  metrics.clockSkew.set(seconds);
  reportLevel(seconds);
  return true;
}

/** A line in the log where it begins to be wrong, and where it is right again. */
function reportLevel(seconds: number): void {
  const level: Level = isClockWrong() ? 'wrong' : Math.abs(seconds) > warnSkewSeconds ? 'apart' : 'right';
  if (level === reportedLevel) return;
  reportedLevel = level;
  if (level === 'right') log.info({ seconds }, "this process's clock agrees with the database's again");
  else if (level === 'apart') log.warn({ seconds }, "this process's clock and the database's are more than 2 s apart");
  else
    log.error({ seconds }, "ALERT: this process's clock and the database's are more than 30 s apart: no new payments");
}
