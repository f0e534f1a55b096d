// Runs the jobs in this process. Every job has a loop of its own, and its rounds never overlap: the pause starts after
// a round has ended.
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { now } from '../db/clock';
import { waitForJob } from '../db/notify-job';
import { metrics } from '../telemetry';
import { type Job, jobs, runJob } from './jobs';

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
  while (!stopping.aborted) {
    const started = performance.now();
    const count = await runJob(job, now());
    metrics.rounds.set(job.name, performance.now());
    if (count > 0) metrics.jobs.observe({ job: job.name }, (performance.now() - started) / 1000);
    // Both pauses end when the process stops; an idle job's pause also ends on a notification.
    if (count > 0) await setTimeout(busyPauseMilliseconds, undefined, { signal: stopping }).catch(() => {});
    else await waitForJob(job.name, pauseMilliseconds, stopping);
  }
}
