// Runs the due rows in this process, again and again. Every job has a loop of its own, and its rounds never overlap: the
// pause starts when a round has ended.
import { setTimeout } from 'node:timers/promises';
import { now } from './clock';
import { type Job, jobs, runJob } from './jobs';

const pauseMilliseconds = 300;

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
    await runJob(job, now());
    // The pause ends early, by an error, when the process stops.
    await setTimeout(pauseMilliseconds, undefined, { signal: stopping }).catch(() => {});
  }
}
