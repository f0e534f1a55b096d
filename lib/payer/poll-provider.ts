/**
 * Polls the provider while the payer waits: on return from the bank, and on load of a page that waits or shows payment
 * data ("Check now"). The response waits only briefly, because the page follows later changes anyway.
 */
import { now } from '../db/clock.ts';
import { runInBackground } from '../jobs/index.ts';
import { handlePayerReturn, pollTransaction } from '../payments/index.ts';
import type { View } from './view.ts';

const pauseMilliseconds = 3_000;
const waitMilliseconds = { waiting: 2_000, returned: 8_000 };
const rememberedMax = 1_000;

const lastPolledMs = new Map<string, number>();

/** Polls the provider about an open attempt, at most once every few seconds; true if the view has to be read again. */
export async function pollAttempt({ screen, attempt }: View): Promise<boolean> {
  // The attempt was just sent; another request awaits the first response.
  const isOpen = screen.kind === 'waiting' || screen.kind === 'present';
  if (!isOpen || !attempt || attempt.status === 'sent') return false;
  const nowMs = performance.now();
  if (nowMs - (lastPolledMs.get(attempt.id) ?? Number.NEGATIVE_INFINITY) < pauseMilliseconds) return false;
  if (lastPolledMs.size >= rememberedMax) lastPolledMs.clear();
  lastPolledMs.set(attempt.id, nowMs);
  return pollWithin(() => pollTransaction(attempt.id, now()), waitMilliseconds.waiting);
}

/** Polls the attempt that a payer has just returned from. */
export async function pollReturned(transactionId: string): Promise<void> {
  await pollWithin(() => handlePayerReturn(transactionId, now()), waitMilliseconds.returned);
}

/** Whether the provider answered in time; a late answer is stored as well. */
function pollWithin(asking: () => Promise<unknown>, milliseconds: number): Promise<boolean> {
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), milliseconds);
    runInBackground('asking for a payer', async () => {
      try {
        await asking();
        done(true);
      } finally {
        clearTimeout(timer);
        done(false);
      }
    });
  });
}
