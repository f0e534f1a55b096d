import { expect, it, vi } from 'vitest';
import { recent } from './recent.ts';

it('is made once for the calls of a moment', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(1_000);
  const make = vi.fn(async () => make.mock.calls.length);
  const get = recent(250, make);
  expect(await Promise.all([get(), get(), get()])).toEqual([1, 1, 1]);
  clock.mockReturnValue(1_249);
  expect(await get()).toBe(1);
  clock.mockReturnValue(1_250);
  expect(await Promise.all([get(), get()])).toEqual([2, 2]);
  clock.mockRestore();
});
