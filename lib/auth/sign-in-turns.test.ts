import { expect, test, vi } from 'vitest';
import { runInTurn } from './sign-in-turns.ts';

vi.mock('../config/index.ts', () => ({ env: { rateLimits: { 'sign_in.address': 60 } } }));

/** Sign-ins that end on request, and the numbers of those that run. */
function pending() {
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const signIn = (address: string, number: number) =>
    runInTurn(address, () => {
      started.push(number);
      return new Promise<number>((done) => {
        ends[number] = () => done(number);
      });
    });
  return { started, end: (number: number) => ends[number]?.(), signIn };
}

test('sign-ins run in order, one at a time, and three of an address wait', async () => {
  const { started, end, signIn } = pending();
  const own = [0, 1, 2].map((number) => signIn('198.51.100.7', number));
  expect(await signIn('198.51.100.7', 3)).toBeNull();
  const other = signIn('2001:db8::1', 4);
  await expect.poll(() => started).toEqual([0]);
  end(0);
  expect(await own[0]).toBe(0);
  // Its place is free.
  own[0] = signIn('198.51.100.7', 5);
  for (const number of [1, 2, 4, 5]) {
    await expect.poll(() => started.at(-1)).toBe(number);
    end(number);
  }
  expect(await Promise.all([...own, other])).toEqual([5, 1, 2, 4]);
});

test('at most twenty wait, and one that fails frees its place', async () => {
  const { started, end, signIn } = pending();
  const failing = runInTurn('203.0.113.1', () => Promise.reject(new Error('no database')));
  const others = Array.from({ length: 19 }, (_, at) => signIn(`198.51.100.${at}`, at));
  expect(await signIn('203.0.113.2', 99)).toBeNull();
  await expect(failing).rejects.toThrow('no database');
  others.push(signIn('203.0.113.2', 19));
  for (const number of others.keys()) {
    await expect.poll(() => started.at(-1)).toBe(number);
    end(number);
  }
  expect(await Promise.all(others)).toEqual([...others.keys()]);
});
