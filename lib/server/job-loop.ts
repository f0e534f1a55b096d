// Runs the due rows in this process, again and again. Every job has a loop of its own, and its rounds never overlap: the
// pause starts when a round has ended.
import { setMaxListeners } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { now } from '../db/clock';
import { waitForJob } from '../db/notify-job';
import { metrics } from '../telemetry';
import { type Job, jobs, runJob } from './jobs';

const pauseMilliseconds = 300;
/** After a round that found work there is probably more; the moment lets requests have their turn. */
const busyPauseMilliseconds = 20;

/** Starts the loops; the returned function stops them and resolves when the rounds under way have ended. */
export function startJobs(): () => Promise<void> {
  const stopping = new AbortController();
  // Each job listens to it; Node would warn of a leak above ten.
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
    const taken = await runJob(job, now());
    metrics.rounds.set(job.name, performance.now());
    if (taken > 0) metrics.jobs.observe({ job: job.name }, (performance.now() - started) / 1000);
    // Either pause ends early when the process stops; that of a job that has work, only then.
    if (taken > 0) await setTimeout(busyPauseMilliseconds, undefined, { signal: stopping }).catch(() => {});
    else await waitForJob(job.name, pauseMilliseconds, stopping);
  }
}
