/**
 * Asking the provider while a payer looks on: when the bank leads them back, and when they load a page that waits or
 * shows what to do ("Check now"). The browser does not wait long for the answer, because the page follows what happens
 * anyway.
 */
import { now } from '../db/clock';
import { runInBackground } from '../jobs';
import { handlePayerReturn, pollTransaction } from '../payments';
import type { View } from './view';

const pauseMilliseconds = 3_000;
const patienceMilliseconds = { waiting: 2_000, returned: 8_000 };
const rememberedMax = 1_000;

const lastPolledMs = new Map<string, number>();

/**
 * Asks about an attempt whose outcome is open, at most every few seconds however often the page is loaded. True when
 * there is an answer, so that the view is to be read again.
 */
export async function pollAttempt({ screen, attempt }: View): Promise<boolean> {
  // Just sent: the first answer is on its way to another request.
  const isOpen = screen.kind === 'waiting' || screen.kind === 'present';
  if (!isOpen || !attempt || attempt.status === 'sent') return false;
  const nowMs = performance.now();
  if (nowMs - (lastPolledMs.get(attempt.id) ?? Number.NEGATIVE_INFINITY) < pauseMilliseconds) return false;
  if (lastPolledMs.size >= rememberedMax) lastPolledMs.clear();
  lastPolledMs.set(attempt.id, nowMs);
  return pollWithin(() => pollTransaction(attempt.id, now()), patienceMilliseconds.waiting);
}

/** Asks about the attempt that a payer has just come back from. */
export async function pollReturned(transactionId: string): Promise<void> {
  await pollWithin(() => handlePayerReturn(transactionId, now()), patienceMilliseconds.returned);
}

/** Whether the provider answered in time; a late answer is written down all the same. */
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
