// Payment calls of hosted fields that other processes may be making. A concurrent repeat waits for the outcome.
import { setTimeout } from 'node:timers/promises';
import { findSession, lastAttempt } from './queries.ts';

/** Longer than the longest provider call. */
const outcomeSeconds = 90;
/** Far longer than a process needs from taking a card to its attempt. One that was killed between the two makes none. */
const attemptSeconds = 5;
const longestPauseMilliseconds = 500;

/**
 * Resolves when no payment call is running: the attempt of the call that read the payment in `takenVersion` has begun, and
 * no provider is being asked. Resolves after a time limit in any case.
 */
export async function paymentCallsEnd(paymentId: string, takenVersion: number | null): Promise<void> {
  let pause = 25;
  for (let waited = 0; waited < outcomeSeconds * 1000; waited += pause) {
    pause = Math.min(pause * 1.5, longestPauseMilliseconds);
    const current = await findSession(paymentId);
    const isAwaited = current?.payment.version === takenVersion && waited < attemptSeconds * 1000;
    if (!isAwaited && (await lastAttempt(paymentId))?.status !== 'sent') return;
    await setTimeout(pause);
  }
}
