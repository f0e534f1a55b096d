// The short form of every proof, all at once: most of their time is waiting for what was killed to be asked about. What they
// measure in seconds is left to the long forms, which have the machine to themselves.
import { proveCallbacks } from './callbacks.mjs';
import { proveCrash } from './crash.mjs';
import { proveFaults } from './faults.mjs';
import { proveFuzz } from './malformed.mjs';
import { proveRaces } from './races.mjs';
import { proveRestore } from './restore.mjs';
import { proveSignatures } from './signatures.mjs';

const proofs = {
  'processes and the database killed': (seed) =>
    proveCrash({ appKills: 3, databaseKills: 1, tills: 5, seed, timed: false }),
  'races over two processes': (seed) => proveRaces({ rounds: 1, atOnce: 40, seed }),
  'a provider on its worst day': (seed) => proveFaults({ seconds: 6, tills: 5, lateSeconds: 4, skews: [20], seed }),
  'no callback lost': (seed) => proveCallbacks({ callbacks: 300, appKills: 1, seed, timed: false }),
  'bent requests': (seed) => proveFuzz({ requests: 1200, seed, timed: false }),
  'no hash of a payer signs a request': (seed) => proveSignatures({ texts: 60_000, seed }),
  'a backup that is restored': (seed) => proveRestore({ seconds: 3, seed }),
};

/**
 * Runs all of them on what was built last (FLORIN_BUILT).
 * @returns {Promise<{ name: string, seed: number, violations: string[] }[]>}
 */
export function proveShortly(seed) {
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
