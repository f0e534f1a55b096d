import { expect, it } from 'vitest';
import { withinBytes } from './deliver.ts';

it('a batch ends before the most bytes, and has one event at least', () => {
  const event = (length: number) => ({ text: 'é'.repeat(length / 2) });
  const bytesOf = (events: object[]) => Buffer.byteLength(JSON.stringify(events));
  const events = [event(100), event(200), event(300)];
  expect(withinBytes(events, 10_000)).toEqual(events);
  const two = withinBytes(events, 400);
  expect([two.length, bytesOf(two) <= 401]).toEqual([2, true]);
  expect(withinBytes(events, 1)).toEqual([event(100)]);
  expect(withinBytes([], 1)).toEqual([]);
});
