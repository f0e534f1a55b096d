// One round of a job.
import { log, metrics } from '../telemetry/index.ts';

/** Processes the rows due at `now`; returns their number. Calls over `patience` ms continue in the background. */
export type Job = { name: string; run: (now: Date, patience?: number) => Promise<number> };

/** Runs one job once; null for a failure, which is logged and counted. Its rows stay due. */
export async function runJob(job: Job, now: Date, patience?: number): Promise<number | null> {
  try {
    return await job.run(now, patience);
  } catch (err) {
    log.error({ err, job: job.name }, 'a job failed');
    metrics.jobFailures.inc({ job: job.name });
    return null;
  }
}
