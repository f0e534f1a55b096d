import { expect, it } from 'vitest';
import { rememberLast } from './remember.ts';

function counted<Value>(most: number, value: (key: string) => Value) {
  const made: string[] = [];
  const remembered = rememberLast<Promise<Value>>(most);
  const get = (key: string) =>
    remembered(key, async () => {
      made.push(key);
      return value(key);
    });
  return { made, get };
}

it('makes each value once, and the oldest again once there are too many', async () => {
  const { made, get } = counted(2, (key) => key.toUpperCase());
  expect(await Promise.all(['a', 'a', 'b', 'a'].map(get))).toEqual(['A', 'A', 'B', 'A']);
  expect(made).toEqual(['a', 'b']);
  await get('c');
  await get('b');
  expect(made).toEqual(['a', 'b', 'c']);
  await get('a');
  expect(made).toEqual(['a', 'b', 'c', 'a']);
});

it('remembers neither a failure nor null', async () => {
  const failing = counted(2, () => {
    throw new Error('not now');
  });
  for (let times = 0; times < 2; times += 1) await expect(failing.get('a')).rejects.toThrow('not now');
  const missing = counted(2, () => null);
  for (let times = 0; times < 2; times += 1) expect(await missing.get('a')).toBeNull();
  expect([failing.made, missing.made]).toEqual([
    ['a', 'a'],
    ['a', 'a'],
  ]);
});

it('remembers values that are there at once', () => {
  const remembered = rememberLast<{ text: string }>(1);
  const made = ['a', 'a', 'b', 'a'].map((text) => remembered(text, () => ({ text })));
  expect(made[1]).toBe(made[0]);
  expect(made[3]).not.toBe(made[0]);
  expect(made.map(({ text }) => text)).toEqual(['a', 'a', 'b', 'a']);
});
