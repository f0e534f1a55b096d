// The short form of every proof, all at once: most of their time is waiting for what was killed to be asked about. What they
// measure in seconds is left to the long forms, which have the machine to themselves.
import { runCallbackTest } from './callbacks.mjs';
import { runCrashTest } from './crash.mjs';
import { runFaultTest } from './faults.mjs';
import { runMalformedTest } from './malformed.mjs';
import { runRaceTest } from './races.mjs';
import { runRestoreTest } from './restore.mjs';
import { runSignatureTest } from './signatures.mjs';

const proofs = {
  'processes and the database killed': (seed) =>
    runCrashTest({ appKills: 3, databaseKills: 1, clients: 5, seed, timed: false }),
  'races over two processes': (seed) => runRaceTest({ rounds: 1, atOnce: 40, seed }),
  'a provider on its worst day': (seed) => runFaultTest({ seconds: 6, clients: 5, lateSeconds: 4, skews: [20], seed }),
  'no callback lost': (seed) => runCallbackTest({ callbacks: 300, appKills: 1, seed, timed: false }),
  'malformed requests': (seed) => runMalformedTest({ requests: 1200, seed, timed: false }),
  'no hash of a payer signs a request': (seed) => runSignatureTest({ texts: 60_000, seed }),
  'a backup that is restored': (seed) => runRestoreTest({ seconds: 3, seed }),
};

/**
 * Runs all of them on what was built last (FLORIN_BUILT).
 * @returns {Promise<{ name: string, seed: number, violations: string[] }[]>}
 */
export function runShortChaosTests(seed) {
  return Promise.all(
    Object.entries(proofs).map(async ([name, prove]) => {
      try {
        return { name, seed, violations: (await prove(seed)).violations };
      } catch (fault) {
        return { name, seed, violations: [fault.stack ?? String(fault)] };
      }
    }),
  );
}
