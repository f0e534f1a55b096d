/** The pause before another try at a row that others change at the same time. */
import { setTimeout } from 'node:timers/promises';

const maxDelayMilliseconds = 50;

/** Waits a random moment, none before the first repeat: many that met once do not meet again. */
export async function waitBeforeRetry(round: number): Promise<void> {
  if (round > 0) await setTimeout(Math.random() * Math.min(maxDelayMilliseconds, 2 ** round));
}
