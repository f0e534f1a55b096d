// Notifies a job of this process of a new due row, so that it starts before its next round. Only an optimisation: the
// next round finds every due row.

import { processWide } from '../core/process-wide.ts';

const { sleepers, woken } = processWide('jobSignals', () => ({
  sleepers: new Map<string, () => void>(),
  woken: new Set<string>(),
}));

/** Ends a job's wait; a job that is running skips its next wait. */
export function notifyJob(job: string): void {
  const end = sleepers.get(job);
  if (end) end();
  else woken.add(job);
}

/** Waits for the given time, until the job is notified, or until `stopping`. */
export async function waitForJob(job: string, milliseconds: number, stopping: AbortSignal): Promise<void> {
  if (woken.delete(job) || stopping.aborted) return;
  await new Promise<void>((end) => {
    const over = () => {
      clearTimeout(timer);
      sleepers.delete(job);
      stopping.removeEventListener('abort', over);
      end();
    };
    const timer = setTimeout(over, milliseconds);
    sleepers.set(job, over);
    stopping.addEventListener('abort', over);
  });
}
