/** Statements over many rows, with the settings of the planner that they need and without the time limit of requests. */
import { type Query, transaction } from '../db/index.ts';

// Lines are newer than the statistics of their table: without these the planner would join whole tables to a few thousand of
// them, or compare each line with each.
const settings = {
  byIndex: ['enable_hashjoin = off', 'enable_mergejoin = off', 'enable_seqscan = off', 'jit = off'],
  byHash: ['enable_nestloop = off', 'jit = off'],
};

/** Runs `work` in a transaction whose statements may take five minutes each, and join by indexes or by hashes. */
export const unhurried = <T>(joins: keyof typeof settings, work: (run: Query) => Promise<T>): Promise<T> =>
  transaction(async (run) => {
    for (const setting of ["statement_timeout = '5min'", ...settings[joins]])
      await run(setting, `set local ${setting}`);
    return work(run);
  });
