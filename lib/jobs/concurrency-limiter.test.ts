import { describe, expect, test } from 'vitest';
import { newConcurrencyLimiter } from './concurrency-limiter.ts';

type Keys = { account: string; merchant: string };

/** A task that ends on request. */
function pendingTask(keys: Keys) {
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  return { keys, run: () => ended, end };
}

const at = (account: string, merchant: string): Keys => ({ account, merchant });

describe('shares', () => {
  test('a key is busy from its limit on until one of its tasks ends', async () => {
    const shares = newConcurrencyLimiter('a test', 10, { account: 2, merchant: 3 });
    const tasks = [pendingTask(at('a', 'm')), pendingTask(at('a', 'm')), pendingTask(at('b', 'm'))] as const;
    await shares.start([tasks[0]], 1);
    expect([shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([[], [], 9]);
    await shares.start([tasks[1], tasks[2]], 1);
    expect([shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([['a'], ['m'], 7]);
    tasks[0].end();
    await expect.poll(() => [shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([[], [], 8]);
    tasks[1].end();
    tasks[2].end();
    await expect.poll(() => shares.free()).toBe(10);
  });

  test('a round ends with its quick tasks, or without the slow ones', async () => {
    const shares = newConcurrencyLimiter('a test', 10, { account: 5, merchant: 5 });
    const slow = pendingTask(at('a', 'm'));
    let quick = false;
    const work = async () => {
      quick = true;
    };
    await shares.start([{ keys: at('b', 'n'), run: work }], 60_000);
    expect([quick, shares.free()]).toEqual([true, 10]);
    await shares.start([slow], 1);
    expect(shares.free()).toBe(9);
    slow.end();
  });

  test('a failed task frees its place', async () => {
    const shares = newConcurrencyLimiter('a test', 1, { account: 1, merchant: 1 });
    await shares.start([{ keys: at('a', 'm'), run: () => Promise.reject(new Error('no')) }], 60_000);
    expect([shares.free(), shares.busy('account')]).toEqual([1, []]);
  });

  test('after a claim over the total, no tasks are free', async () => {
    const shares = newConcurrencyLimiter('a test', 1, { account: 1, merchant: 1 });
    const tasks = [pendingTask(at('a', 'm')), pendingTask(at('b', 'm'))];
    await shares.start(tasks, 1);
    expect(shares.free()).toBe(0);
    for (const piece of tasks) piece.end();
    await expect.poll(() => shares.free()).toBe(1);
  });
});
