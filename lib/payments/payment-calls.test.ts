import { expect, test } from 'vitest';
import { paymentCallsEnd, runPaymentCall } from './payment-calls.ts';

/** A call that runs until `end` is called. */
function openCall(paymentId: string): { end: () => void; ended: Promise<void> } {
  let end = () => {};
  const ended = runPaymentCall(paymentId, () => new Promise<void>((done) => (end = done)));
  return { end: () => end(), ended };
}

const isSettled = (promise: Promise<void>) =>
  Promise.race([promise.then(() => true), new Promise<boolean>((done) => setTimeout(done, 20, false))]);

test('a repeat waits for the running calls of its payment only', async () => {
  const [first, other] = [openCall('a'), openCall('b')];
  const waiting = paymentCallsEnd('a');
  expect(await isSettled(waiting)).toBe(false);
  first.end();
  await first.ended;
  expect(await isSettled(waiting)).toBe(true);
  expect(await isSettled(paymentCallsEnd('b'))).toBe(false);
  other.end();
  await other.ended;
});

test('a call that fails ends too', async () => {
  await expect(runPaymentCall('c', () => Promise.reject(new Error('declined')))).rejects.toThrow('declined');
  expect(await isSettled(paymentCallsEnd('c'))).toBe(true);
});

test('without a running call nothing waits', async () => {
  expect(await isSettled(paymentCallsEnd('d'))).toBe(true);
});
