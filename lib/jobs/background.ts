/** Work that goes on after its request was answered. It is counted, so that a stopping process can wait for it. */
import { log } from '../telemetry';

const running = new Set<Promise<void>>();

/** Starts `work` and does not wait. A failure is logged: the row it works on is due and will be taken up again. */
export function runInBackground(name: string, work: () => Promise<unknown>): void {
  const task: Promise<void> = work()
    .then(
      () => undefined,
      (err) => log.error({ err }, `${name} failed in the background`),
    )
    .finally(() => running.delete(task));
  running.add(task);
}

/** Waits for everything that was started. */
export async function backgroundDone(): Promise<void> {
  while (running.size > 0) await Promise.all(running);
}
