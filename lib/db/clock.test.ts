import { afterEach, describe, expect, test } from 'vitest';
import { clockSkewSeconds, isClockWrong, now, setClockSkew, setTestClockSkew, systemMilliseconds } from './clock.ts';

// All tests of a process share the clock.
afterEach(() => {
  setClockSkew(0);
  setTestClockSkew(0);
});

const secondsBetween = (one: Date, other: Date) => Math.round((one.getTime() - other.getTime()) / 1000);

describe('the difference from the database', () => {
  test.each([
    [0, 0, false],
    [2, 0, false],
    [-2, 0, false],
    [5, -5, false],
    [-5, 5, false],
    [30, -30, false],
    [31, -31, true],
    [-120, 120, true],
  ])('%d s ahead: the time is corrected by %d s, new payments are rejected: %s', (ahead, away, wrong) => {
    setClockSkew(ahead);
    expect([clockSkewSeconds(), isClockWrong()]).toEqual([ahead, wrong]);
    expect(secondsBetween(now(), new Date())).toBe(away === 0 ? 0 : away);
  });

  test('a test shifts the clock', () => {
    setTestClockSkew(-120);
    expect(Math.round((systemMilliseconds() - Date.now()) / 1000)).toBe(-120);
    expect(secondsBetween(now(), new Date())).toBe(-120);
  });
});
