// Runs the due rows in this process, again and again. Every job has a loop of its own, and its rounds never overlap: the
// pause starts when a round has ended.
import { setTimeout } from 'node:timers/promises';
import { now } from './clock';
import { type Job, jobs, runJob } from './jobs';
import { metrics } from './metrics';

const pauseMilliseconds = 300;
/** After a round that found work there is probably more; the moment lets requests have their turn. */
const busyPauseMilliseconds = 20;

/** Starts the loops; the returned function stops them and resolves when the rounds under way have ended. */
export function startJobs(): () => Promise<void> {
  const stopping = new AbortController();
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
    const milliseconds = taken > 0 ? busyPauseMilliseconds : pauseMilliseconds;
    // The pause ends early, by an error, when the process stops.
    await setTimeout(milliseconds, undefined, { signal: stopping }).catch(() => {});
  }
}
