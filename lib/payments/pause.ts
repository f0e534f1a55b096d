/** The pause before another try at a row that others change at the same time. */
import { setTimeout } from 'node:timers/promises';

const longestMilliseconds = 50;

/** Waits a random moment, none before the first repeat: many that met once do not meet again. */
export async function pause(round: number): Promise<void> {
  if (round > 0) await setTimeout(Math.random() * Math.min(longestMilliseconds, 2 ** round));
}
