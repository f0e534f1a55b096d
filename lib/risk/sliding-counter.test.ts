import { describe, expect, it } from 'vitest';
import { addCounts, addCountsAfterBad, getSlidingCounter, readCounts } from './sliding-counter';

const never = { hits: Number.POSITIVE_INFINITY };
const one = { hits: 1, bad: 0 };

describe('a tally', () => {
  it('stores the current period and the previous one', () => {
    const tally = getSlidingCounter('stretches', 60);
    for (let each = 0; each < 3; each += 1) addCounts(tally, 'a', one, never, 0);
    addCounts(tally, 'a', { hits: 1, bad: 1 }, never, 75_000);
    expect(readCounts(tally, 'a', 75_000)).toEqual({
      hits: { current: 1, previous: 3, passed: 0.25 },
      bad: { current: 1, previous: 0, passed: 0.25 },
    });
    expect(readCounts(tally, 'b', 75_000).hits.current).toBe(0);
    expect(readCounts(tally, 'a', 130_000).hits).toMatchObject({ current: 0, previous: 1 });
    expect(readCounts(tally, 'a', 250_000).hits).toMatchObject({ current: 0, previous: 0 });
  });

  it('continues to count when the clock is set back', () => {
    const tally = getSlidingCounter('clocks', 60);
    addCounts(tally, 'a', one, never, 600_000);
    addCounts(tally, 'a', one, never, 30_000);
    expect(readCounts(tally, 'a', 30_000).hits).toEqual({ current: 2, previous: 0, passed: 0 });
  });

  it('limits the number of keys', () => {
    const tally = getSlidingCounter('crowds', 60);
    for (let key = 0; key < 100_010; key += 1) addCounts(tally, String(key), one, never, 0);
    expect(readCounts(tally, '99999', 0).hits.current).toBe(1);
    expect(readCounts(tally, '100005', 0).hits.current).toBe(0);
    addCounts(tally, '100005', { hits: 1, bad: 1 }, never, 0);
    expect(readCounts(tally, '100005', 0).bad.current).toBe(1);
  });

  it('stores a key from its first bad outcome on, if requested', () => {
    const tally = getSlidingCounter('many', 60);
    for (const bad of [0, 1, 0]) addCountsAfterBad(tally, 'a', { hits: 1, bad }, never, 0);
    expect(readCounts(tally, 'a', 0)).toMatchObject({ hits: { current: 2 }, bad: { current: 1 } });
  });

  it('is the same object for the same name', () => {
    expect(getSlidingCounter('same', 60)).toBe(getSlidingCounter('same', 60));
  });
});
