/** Work that continues after the response to its request. It is counted, so that a stopping process can wait for it. */
import { log } from '../telemetry/index.ts';

const running = new Set<Promise<void>>();

/** Starts `work` and does not wait. A failure is logged; the row remains due and is processed again. */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const task: Promise<void> = work()
    .then(
      () => undefined,
      (err) => log.error({ err }, `${name} failed in the background`),
    )
    .finally(() => running.delete(task));
  running.add(task);
}

/** Waits for the work that runs now. */
export async function runningWorkDone(): Promise<void> {
  await Promise.all(running);
}

/** Waits until no work runs. */
export async function backgroundDone(): Promise<void> {
  while (running.size > 0) await runningWorkDone();
}
