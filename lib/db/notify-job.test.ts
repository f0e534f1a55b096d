import { expect, test } from 'vitest';
import { sleep, wake } from './notify-job';

const long = 60_000;
const never = new AbortController().signal;

/** Whether a promise has ended by the next turn of the loop. */
async function hasEnded(work: Promise<void>): Promise<boolean> {
  const next = new Promise<false>((done) => setImmediate(() => done(false)));
  return Promise.race([work.then(() => true), next]);
}

test('a sleeping job is woken, and no other', async () => {
  const [one, other] = [sleep('one', long, never), sleep('other', long, never)];
  wake('one');
  expect([await hasEnded(one), await hasEnded(other)]).toEqual([true, false]);
  wake('other');
  expect(await hasEnded(other)).toBe(true);
});

test('a job that is at work does not sleep the next time, and then as ever', async () => {
  wake('busy');
  wake('busy');
  expect(await hasEnded(sleep('busy', long, never))).toBe(true);
  const again = sleep('busy', long, never);
  expect(await hasEnded(again)).toBe(false);
  wake('busy');
  await again;
});

test('it ends by itself, and when the process stops', async () => {
  await sleep('short', 1, never);
  const stopping = new AbortController();
  const asleep = sleep('stopped', long, stopping.signal);
  stopping.abort();
  expect(await hasEnded(asleep)).toBe(true);
  expect(await hasEnded(sleep('stopped', long, stopping.signal))).toBe(true);
});
