// The list of jobs. Each job claims due rows and processes them. Any number of processes can run a job concurrently,
// because one SQL statement claims a row by moving its due time forward.

import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { deactivateUnusedUsers, deleteExpiredSignIns, writeAnchor, writeRefusals } from '../auth/index.ts';
import { deliverDue } from '../callbacks/index.ts';
import { env } from '../config/index.ts';
import { sendNightlyExports } from '../dashboard/index.ts';
import { now } from '../db/clock.ts';
import { waitForJob } from '../db/notify-job.ts';
import { deliverEvents } from '../events/index.ts';
import { runningWorkDone } from '../jobs/index.ts';
import { closeLedgerDay } from '../operations/index.ts';
import { sendDueMessages } from '../outbox/index.ts';
import { pollDue, processDueNotifications, resolveDueItems } from '../payments/index.ts';
import { reconcileDue } from '../reconciliation/index.ts';
import { chargeDue } from '../recurring/index.ts';
import { deleteOldRequests } from '../request-log/index.ts';
import { deleteExpiredClaims, deleteExpiredSignatures } from '../risk/index.ts';
import { removeOldOrders, simulatorTick } from '../sandbox/index.ts';
import { metrics } from '../telemetry/index.ts';
import { removeExpiredCards } from '../vault/index.ts';
import { type Job, runJob } from './run-job.ts';

/** All jobs. Each has a loop of its own, so that a slow provider does not delay callbacks. */
export const jobs: Job[] = [
  { name: 'transactions', run: pollDue },
  { name: 'notifications', run: processDueNotifications },
  { name: 'unresolved', run: resolveDueItems },
  { name: 'schedules', run: chargeDue },
  { name: 'callbacks', run: deliverDue },
  { name: 'messages', run: sendDueMessages },
  { name: 'audit log', run: async (now) => (await writeRefusals(now)) + (await writeAnchor(now)) },
  { name: 'unused users', run: deactivateUnusedUsers },
  { name: 'security events', run: deliverEvents },
  { name: 'ledger check', run: closeLedgerDay },
  { name: 'nightly exports', run: sendNightlyExports },
  { name: 'reconciliation', run: reconcileDue },
  { name: 'sign-ins', run: deleteExpiredSignIns },
  { name: 'pending cards', run: removeExpiredCards },
  { name: 'wallet tokens', run: deleteExpiredClaims },
  { name: 'request signatures', run: deleteExpiredSignatures },
  { name: 'request log', run: deleteOldRequests },
  // The sandbox's provider does not run in production.
  { name: 'sandbox provider', run: (now) => (env.appEnv === 'sandbox' ? simulatorTick(now) : Promise.resolve(0)) },
  { name: 'demo shop', run: removeOldOrders },
];

/** Longer than any timeout of a provider or a merchant's server. */
const tickMilliseconds = 120_000;

/** Runs all jobs once concurrently, waits for all work that runs, and returns the number of processed rows. */
export async function tick(now: Date): Promise<number> {
  const counts = await Promise.all(jobs.map((job) => runJob(job, now, tickMilliseconds)));
  // The loops may have claimed due rows before this.
  await runningWorkDone();
  return counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

const pauseMilliseconds = 300;
/** After a round with work there is probably more. The short pause lets requests run. */
const busyPauseMilliseconds = 20;

/** Starts the loops. The returned function stops them and resolves after the running rounds have ended. */
export function startJobs(): () => Promise<void> {
  const stopping = new AbortController();
  // Each job adds a listener; Node would warn above ten.
  setMaxListeners(0, stopping.signal);
  const running = Promise.all(jobs.map((job) => loop(job, stopping.signal)));
  return async () => {
    stopping.abort();
    await running;
  };
}

async function loop(job: Job, stopping: AbortSignal): Promise<void> {
  // A job whose first round fails has none that is successful: /readyz counts from here.
  metrics.rounds.set(job.name, performance.now());
  while (!stopping.aborted) {
    const started = performance.now();
    const count = await runJob(job, now());
    if (count !== null) metrics.rounds.set(job.name, performance.now());
    if (count) metrics.jobs.observe({ job: job.name }, (performance.now() - started) / 1000);
    // Both pauses end when the process stops; an idle job's pause also ends on a notification.
    if (count) await setTimeout(busyPauseMilliseconds, undefined, { signal: stopping }).catch(() => {});
    else await waitForJob(job.name, pauseMilliseconds, stopping);
  }
}
