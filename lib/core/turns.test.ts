import { afterEach, expect, test, vi } from 'vitest';
import { inTurn, newTurns } from './turns.ts';

afterEach(() => vi.useRealTimers());

/** Work that ends on request, and the numbers of what has begun. */
function pending(atOnce: number) {
  const turns = newTurns();
  const begun: number[] = [];
  const ends: PromiseWithResolvers<number>[] = [];
  const start = (number: number) =>
    inTurn(turns, atOnce, () => {
      begun.push(number);
      ends[number] = Promise.withResolvers();
      return ends[number].promise;
    });
  return { turns, begun, ends, start };
}

test('so much runs at a time, and the rest in order', async () => {
  const { turns, begun, ends, start } = pending(2);
  const all = [0, 1, 2, 3].map(start);
  expect(begun).toEqual([0, 1]);
  ends[1]?.resolve(1);
  await all[1];
  // It comes behind the one that waits.
  all.push(start(4));
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[0]?.reject(new Error('no database'));
  await expect(all[0]).rejects.toThrow('no database');
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  for (const number of [2, 3]) ends[number]?.resolve(number);
  await expect.poll(() => begun).toEqual([0, 1, 2, 3, 4]);
  ends[4]?.resolve(4);
  expect(await Promise.all(all.slice(1))).toEqual([1, 2, 3, 4]);
  expect(turns).toEqual({ running: 0, waiting: new Set() });
});

test('what waits too long is refused, and leaves its place to the next', async () => {
  vi.useFakeTimers();
  const { turns, begun, ends, start } = pending(1);
  const running = start(0);
  const refused = expect(start(1)).rejects.toMatchObject({ key: 'tooBusy', retryAfterSeconds: 1 });
  await vi.advanceTimersByTimeAsync(4_999);
  const next = start(2);
  await vi.advanceTimersByTimeAsync(1);
  await refused;
  ends[0]?.resolve(0);
  await running;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(begun).toEqual([0, 2]);
  ends[2]?.resolve(2);
  expect(await next).toBe(2);
  expect(turns).toEqual({ running: 0, waiting: new Set() });
});
