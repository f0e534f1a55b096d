// The list of everything that falls due: each job claims the rows whose time has come and works on them. Any number of
// processes may run it at once, because claiming a row is one SQL statement that pushes its due time forward.

import { deliverDue } from '../callbacks';
import { env } from '../config';
import { sendDueMessages } from '../outbox';
import { deleteExpiredClaims, pollDue, processDueNotifications, resolveDueItems } from '../payments';
import { chargeDue } from '../recurring';
import { deleteOldRequests } from '../request-log';
import { deleteExpiredSignatures } from '../risk';
import { removeOldOrders, simulatorTick } from '../sandbox';
import { log } from '../telemetry';

/**
 * Works on what is due at `now` and says how many rows it took. What waits for other parties goes on in the background after
 * `patience` milliseconds, by default a moment.
 */
export type Job = { name: string; run: (now: Date, patience?: number) => Promise<number> };

/** Every job. Each is run on its own, so that a provider that hangs keeps no callback back. */
export const jobs: Job[] = [
  { name: 'transactions', run: pollDue },
  { name: 'notifications', run: processDueNotifications },
  { name: 'unresolved', run: resolveDueItems },
  { name: 'schedules', run: chargeDue },
  { name: 'callbacks', run: deliverDue },
  { name: 'messages', run: sendDueMessages },
  { name: 'wallet tokens', run: deleteExpiredClaims },
  { name: 'request signatures', run: deleteExpiredSignatures },
  { name: 'request log', run: deleteOldRequests },
  // The sandbox's provider is another party: where there is a real one it has nothing to do here.
  { name: 'sandbox provider', run: (now) => (env.appEnv === 'sandbox' ? simulatorTick(now) : Promise.resolve(0)) },
  { name: 'demo shop', run: removeOldOrders },
];

/** Runs one job once. A failure is logged: its rows stay due and will be taken up again. */
export async function runJob(job: Job, now: Date, patience?: number): Promise<number> {
  try {
    return await job.run(now, patience);
  } catch (err) {
    log.error({ err, job: job.name }, 'a job failed');
    return 0;
  }
}

/** Longer than any provider or merchant's server is waited for. */
const tickMilliseconds = 120_000;

/** Runs every job once, side by side, waits for what they have started, and returns the number of rows worked on. */
export async function tick(now: Date): Promise<number> {
  const taken = await Promise.all(jobs.map((job) => runJob(job, now, tickMilliseconds)));
  return taken.reduce((sum, count) => sum + count, 0);
}
