import { expect, test } from 'vitest';
import { notifyJob, waitForJob } from './notify-job.ts';

const long = 60_000;
const never = new AbortController().signal;

/** Whether a promise has settled by the next turn of the event loop. */
async function hasEnded(work: Promise<void>): Promise<boolean> {
  const next = new Promise<false>((done) => setImmediate(() => done(false)));
  return Promise.race([work.then(() => true), next]);
}

test('a waiting job is notified, and no other', async () => {
  const [one, other] = [waitForJob('one', long, never), waitForJob('other', long, never)];
  notifyJob('one');
  expect([await hasEnded(one), await hasEnded(other)]).toEqual([true, false]);
  notifyJob('other');
  expect(await hasEnded(other)).toBe(true);
});

test('a notified running job skips its next wait, but no later one', async () => {
  notifyJob('busy');
  notifyJob('busy');
  expect(await hasEnded(waitForJob('busy', long, never))).toBe(true);
  const again = waitForJob('busy', long, never);
  expect(await hasEnded(again)).toBe(false);
  notifyJob('busy');
  await again;
});

test('a wait ends after its time, and when the process stops', async () => {
  await waitForJob('short', 1, never);
  const stopping = new AbortController();
  const asleep = waitForJob('stopped', long, stopping.signal);
  stopping.abort();
  expect(await hasEnded(asleep)).toBe(true);
  expect(await hasEnded(waitForJob('stopped', long, stopping.signal))).toBe(true);
});
