import { describe, expect, it } from 'vitest';
import { addCounts, addCountsAfterBad, getSlidingCounter, readCounts } from './rate-limits.ts';

const never = { hits: Number.POSITIVE_INFINITY };
const one = { hits: 1, bad: 0 };

describe('a counter', () => {
  it('stores the current period and the previous one', () => {
    const counter = getSlidingCounter('stretches', 60);
    for (let each = 0; each < 3; each += 1) addCounts(counter, 'a', one, never, 0);
    addCounts(counter, 'a', { hits: 1, bad: 1 }, never, 75_000);
    expect(readCounts(counter, 'a', 75_000)).toEqual({
      hits: { current: 1, previous: 3, passed: 0.25 },
      bad: { current: 1, previous: 0, passed: 0.25 },
    });
    expect(readCounts(counter, 'b', 75_000).hits.current).toBe(0);
    expect(readCounts(counter, 'a', 130_000).hits).toMatchObject({ current: 0, previous: 1 });
    expect(readCounts(counter, 'a', 250_000).hits).toMatchObject({ current: 0, previous: 0 });
  });

  it('continues to count when the clock is set back', () => {
    const counter = getSlidingCounter('clocks', 60);
    addCounts(counter, 'a', one, never, 600_000);
    addCounts(counter, 'a', one, never, 30_000);
    expect(readCounts(counter, 'a', 30_000).hits).toEqual({ current: 2, previous: 0, passed: 0 });
  });

  it('limits the number of keys', () => {
    const counter = getSlidingCounter('crowds', 60);
    for (let key = 0; key < 100_010; key += 1) addCounts(counter, String(key), one, never, 0);
    expect(readCounts(counter, '99999', 0).hits.current).toBe(1);
    expect(readCounts(counter, '100005', 0).hits.current).toBe(0);
    addCounts(counter, '100005', { hits: 1, bad: 1 }, never, 0);
    expect(readCounts(counter, '100005', 0).bad.current).toBe(1);
  });

  it('stores a key from its first bad outcome on, if requested', () => {
    const counter = getSlidingCounter('many', 60);
    for (const bad of [0, 1, 0]) addCountsAfterBad(counter, 'a', { hits: 1, bad }, never, 0);
    expect(readCounts(counter, 'a', 0)).toMatchObject({ hits: { current: 2 }, bad: { current: 1 } });
  });

  it('is the same object for the same name', () => {
    expect(getSlidingCounter('same', 60)).toBe(getSlidingCounter('same', 60));
  });
});
