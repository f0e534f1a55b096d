import { afterAll, expect, test, vi } from 'vitest';
import type { TurnOwner } from './password-turns.ts';

vi.mock('../config/index.ts', () => ({ env: { rateLimits: { 'sign_in.address': 60, 'proof.user': 10 } } }));

/** Sign-ins that end on request, and the numbers of those that run. */
async function pending() {
  // Each test has turns of its own.
  delete (globalThis as { [key: symbol]: unknown })[Symbol.for('florin.passwordTurns')];
  vi.resetModules();
  const { runInTurn } = await import('./password-turns.ts');
  const started: number[] = [];
  const ends: (() => void)[] = [];
  const start = (from: TurnOwner, number: number) =>
    runInTurn(from, () => {
      started.push(number);
      return new Promise<number>((done) => {
        ends[number] = () => done(number);
      });
    });
  const signIn = (address: string, number: number) => start({ address }, number);
  const prove = (email: string, number: number) => start({ email }, number);
  const runInOrder = async (numbers: Iterable<number>) => {
    for (const number of numbers) {
      await expect.poll(() => started.at(-1)).toBe(number);
      ends[number]?.();
    }
  };
  return { started, ends, runInOrder, signIn, prove, runInTurn };
}

test('sign-ins run one at a time, networks in rotation, and three of an address wait', async () => {
  const { started, runInOrder, signIn } = await pending();
  const own = [0, 1, 2].map((number) => signIn('198.51.100.7', number));
  expect(await signIn('198.51.100.7', 3)).toBeNull();
  const others = [signIn('2001:db8::1', 4), signIn('203.0.113.5', 5)];
  await expect.poll(() => started).toEqual([0]);
  await runInOrder([0]);
  expect(await own[0]).toBe(0);
  // Its place is free.
  own[0] = signIn('198.51.100.7', 6);
  await runInOrder([4, 5, 1, 2, 6]);
  expect(await Promise.all([...own, ...others])).toEqual([6, 1, 2, 4, 5]);
});

test('at most twenty wait, and one that fails frees its place', async () => {
  const { runInOrder, signIn, runInTurn } = await pending();
  const failing = runInTurn({ address: '203.0.113.1' }, () => Promise.reject(new Error('no database')));
  const others = Array.from({ length: 19 }, (_, at) => signIn(`198.51.100.${at}`, at));
  // Another one of a network that waits replaces none.
  expect(await signIn('198.51.100.18', 99)).toBeNull();
  await expect(failing).rejects.toThrow('no database');
  others.push(signIn('198.51.100.18', 19));
  await runInOrder(others.keys());
  expect(await Promise.all(others)).toEqual([...others.keys()]);
});

test('a sign-in of another network replaces one of the network with the most, and is next but one', async () => {
  const { runInOrder, signIn } = await pending();
  const subnets = Array.from({ length: 7 }, (_, subnet) =>
    [0, 1, 2].map((each) => signIn(`2001:db8:1:${subnet}::1`, subnet * 3 + each)),
  ).flat();
  expect(await subnets[20]).toBeNull();
  const user = signIn('203.0.113.9', 100);
  // The one that has waited longest is refused; the one that runs is not.
  expect(await subnets[1]).toBeNull();
  // Another subnet of the same allocation replaces none.
  expect(await signIn('2001:db8:1:ff::1', 101)).toBeNull();
  await runInOrder([0, 100, 2, 3]);
  expect(await user).toBe(100);
});

test('with one of each network, a new network replaces the one that has waited longest', async () => {
  const { runInOrder, signIn } = await pending();
  const others = Array.from({ length: 20 }, (_, at) => signIn(`198.51.100.${at}`, at));
  const user = signIn('203.0.113.9', 20);
  expect(await others[1]).toBeNull();
  await runInOrder([0, ...Array.from({ length: 19 }, (_, at) => at + 2)]);
  expect(await user).toBe(20);
});

test('a user has one proof at a time, users take turns, and unknown browsers do not wait for them', async () => {
  const { started, ends, runInOrder, signIn, prove } = await pending();
  const first = prove('ann@shop.example', 0);
  expect(await prove('Ann@shop.example ', 1)).toBeNull();
  const others = [prove('bob@shop.example', 2), prove('cay@shop.example', 3)];
  const stranger = signIn('198.51.100.7', 4);
  await expect.poll(() => started).toEqual([0, 4]);
  ends[4]?.();
  expect(await stranger).toBe(4);
  ends[0]?.();
  expect(await first).toBe(0);
  others.push(prove('ann@shop.example', 5));
  await runInOrder([2, 3, 5]);
  expect(await Promise.all(others)).toEqual([2, 3, 5]);
});

test('twenty proofs wait, and another user replaces the one that has waited longest', async () => {
  const { runInOrder, prove } = await pending();
  const users = Array.from({ length: 20 }, (_, at) => prove(`${at}@shop.example`, at));
  const another = prove('20@shop.example', 20);
  expect(await users[1]).toBeNull();
  await runInOrder([0, ...Array.from({ length: 19 }, (_, at) => at + 2)]);
  expect(await another).toBe(20);
});

// The files after this one get the modules themselves.
afterAll(() => {
  vi.resetModules();
});
