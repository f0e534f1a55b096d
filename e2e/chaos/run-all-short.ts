// The short form of every chaos test, a few at a time: much of the time is spent waiting for recovery, and each has a
// database and servers of its own. Timings are checked only by the long forms, which have the machine to themselves.
import { runCallbackTest } from './callbacks.ts';
import type { Result } from './command-line.ts';
import { runCrashTest } from './crash.ts';
import { runFaultTest } from './faults.ts';
import { runFuzzTest } from './fuzz.ts';
import { runMalformedTest } from './malformed.ts';
import { runRaceTest } from './races.ts';
import { runRestoreTest } from './restore.ts';
import { runSetTest } from './sets.ts';
import { runSignatureTest } from './signatures.ts';

const tests: Record<string, (seed: number) => Promise<Result>> = {
  'killed processes and database': (seed) =>
    runCrashTest({ appKills: 3, databaseKills: 1, clients: 5, seed, timed: false }),
  'races over two processes': (seed) => runRaceTest({ rounds: 1, atOnce: 40, seed }),
  'provider, network and clock faults': (seed) =>
    runFaultTest({ seconds: 6, clients: 5, lateSeconds: 4, skews: [20], seed }),
  'no callback lost': (seed) => runCallbackTest({ callbacks: 300, appKills: 1, seed, timed: false }),
  // Vitest calls the parsers directly.
  'fuzzed inputs behind every address': (seed) => runFuzzTest({ seconds: 1, seed, timed: false, direct: false }),
  'malformed requests': (seed) => runMalformedTest({ requests: 1200, seed, timed: false }),
  "no payer's hash signs a request": (seed) => runSignatureTest({ texts: 60_000, seed }),
  'sets of rows are as one row after the other': (seed) => runSetTest({ histories: 300, seed }),
  'backup and restore': (seed) => runRestoreTest({ seconds: 3, seed }),
};

type Ended = { name: string; seed: number; violations: string[] };

const atOnce = 3;

/** Runs all of them on the last build (FLORIN_BUILT). */
export async function runShortChaosTests(seed: number): Promise<Ended[]> {
  const waiting = Object.entries(tests);
  const ended: Ended[] = [];
  const runSome = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name, test] = next;
      const violations = await test(seed).then(
        (result) => result.violations,
        (error: unknown) => [error instanceof Error ? (error.stack ?? error.message) : String(error)],
      );
      ended.push({ name, seed, violations });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, runSome));
  return ended;
}
