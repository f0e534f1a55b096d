/**
 * "Check now": whoever loads a waiting page wants the provider asked now. It is, at most every few seconds however
 * often the page is loaded, and the page does not wait long for the answer: the live state follows anyway.
 */
import { now } from '../clock';
import { inBackground } from '../payments/background';
import { resume } from '../payments/resume';
import type { View } from './view';

const pauseMilliseconds = 3_000;
const patienceMilliseconds = 2_000;
const rememberedMax = 1_000;

const asked = new Map<string, number>();

/** Asks about an attempt whose outcome is open. True when there is an answer, so that the view is to be read again. */
export async function askSoon({ screen, attempt }: View): Promise<boolean> {
  // Just sent: the first answer is on its way to another request.
  if (screen.kind !== 'waiting' || !attempt || attempt.status === 'sent') return false;
  const nowMs = performance.now();
  if (nowMs - (asked.get(attempt.id) ?? Number.NEGATIVE_INFINITY) < pauseMilliseconds) return false;
  if (asked.size >= rememberedMax) asked.clear();
  asked.set(attempt.id, nowMs);
  return new Promise((done) => {
    const timer = setTimeout(() => done(false), patienceMilliseconds);
    inBackground('asking for a waiting page', async () => {
      try {
        await resume(attempt.id, now());
        done(true);
      } finally {
        clearTimeout(timer);
        done(false);
      }
    });
  });
}
