import { describe, expect, test } from 'vitest';
import { newConcurrencyLimiter } from './concurrency-limiter';

type Keys = { account: string; merchant: string };

/** A piece that ends when it is told to. */
function held(keys: Keys) {
  let end = () => {};
  const ended = new Promise<void>((done) => {
    end = done;
  });
  return { keys, run: () => ended, end };
}

const at = (account: string, merchant: string): Keys => ({ account, merchant });

describe('shares', () => {
  test('a key is busy from its share on until a piece of it has ended', async () => {
    const shares = newConcurrencyLimiter('a test', 10, { account: 2, merchant: 3 });
    const pieces = [held(at('a', 'm')), held(at('a', 'm')), held(at('b', 'm'))] as const;
    await shares.start([pieces[0]], 1);
    expect([shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([[], [], 9]);
    await shares.start([pieces[1], pieces[2]], 1);
    expect([shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([['a'], ['m'], 7]);
    pieces[0].end();
    await expect.poll(() => [shares.busy('account'), shares.busy('merchant'), shares.free()]).toEqual([[], [], 8]);
    pieces[1].end();
    pieces[2].end();
    await expect.poll(() => shares.free()).toBe(10);
  });

  test('a round ends with its quick pieces, or without the slow ones', async () => {
    const shares = newConcurrencyLimiter('a test', 10, { account: 5, merchant: 5 });
    const slow = held(at('a', 'm'));
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

  test('a piece that fails frees its place', async () => {
    const shares = newConcurrencyLimiter('a test', 1, { account: 1, merchant: 1 });
    await shares.start([{ keys: at('a', 'm'), run: () => Promise.reject(new Error('no')) }], 60_000);
    expect([shares.free(), shares.busy('account')]).toEqual([1, []]);
  });

  test('a claim that exceeds the total leaves nothing, and no less', async () => {
    const shares = newConcurrencyLimiter('a test', 1, { account: 1, merchant: 1 });
    const pieces = [held(at('a', 'm')), held(at('b', 'm'))];
    await shares.start(pieces, 1);
    expect(shares.free()).toBe(0);
    for (const piece of pieces) piece.end();
    await expect.poll(() => shares.free()).toBe(1);
  });
});
