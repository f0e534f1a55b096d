// What has just fallen due need not wait for its job's next look: whoever makes it due wakes the job, where it sleeps in this
// process. Nothing depends on that; what nobody was woken for is found by the next look.

// Next bundles this module several times in one process; all share these.
type JobSignals = { sleepers: Map<string, () => void>; woken: Set<string> };
const stateKey = Symbol.for('florin.jobSignals');
const holder = globalThis as { [stateKey]?: JobSignals };
holder[stateKey] ??= { sleepers: new Map(), woken: new Set() };
const { sleepers, woken } = holder[stateKey];

/** Ends a job's sleep; one that is at work sleeps not at all the next time. */
export function notifyJob(job: string): void {
  const end = sleepers.get(job);
  if (end) end();
  else woken.add(job);
}

/** Sleeps for so long, until somebody wakes the job, or until `stopping`. */
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
