// Retry plans of the money path: polls of a provider, and callback attempts.
import { describe, expect, it } from 'vitest';
import { nextPollAt } from '../payments/transitions.ts';
import { nextAttemptAt, retrySeconds } from './queue.ts';

const now = new Date('2026-03-01T12:00:00Z');
const secondsTo = (date: Date | null) => (date ? (date.getTime() - now.getTime()) / 1000 : null);

describe('nextPollAt', () => {
  const table = `
unknown    0     60  5
unknown    1     60  10
unknown    2     60  15
unknown    9    119  15
unknown    3    120  40
unknown    9    120  45
unknown    99  7200  144
waiting    2    600  20
challenge  0     60  30
redirect   50    60  30
unknown    3   7200  40
unknown    99  300000  6000
unknown    99  9000000  21600
`;
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [status, polls, ageSeconds, seconds] = line.trim().split(/\s+/);
    const createdAt = new Date(now.getTime() - Number(ageSeconds) * 1000);
    const nextPoll = nextPollAt(
      { status: status as 'unknown', polls: Number(polls), createdAt, rejectedCancels: 0 },
      now,
    );
    expect(secondsTo(nextPoll)).toBe(Number(seconds));
  });

  it.each([
    [1, 60],
    [3, 240],
    [20, 3600],
  ])('after %d rejected cancellations in %d s', (cancels, seconds) => {
    expect(
      secondsTo(nextPollAt({ status: 'challenge', polls: 0, createdAt: now, rejectedCancels: cancels }, now)),
    ).toBe(seconds);
  });
});

describe('nextAttemptAt', () => {
  it('follows the plan and then fails', () => {
    const middle = () => 0.5;
    const plan = retrySeconds.slice(1).map((_, at) => secondsTo(nextAttemptAt(at + 1, now, middle)));
    expect(plan).toEqual([5, 30, 120, 600, 1800, 3600, 7200, 18_000, 36_000, 36_000, 72_000, 86_400]);
    expect(nextAttemptAt(retrySeconds.length, now)).toBeNull();
  });

  it('has a jitter of ten per cent in both directions', () => {
    expect(secondsTo(nextAttemptAt(4, now, () => 0))).toBe(540);
    expect(secondsTo(nextAttemptAt(4, now, () => 1))).toBe(660);
  });

  it('lasts about three days', () => {
    expect(retrySeconds.reduce((sum, each) => sum + each, 0) / 3600).toBeCloseTo(72.7, 1);
  });
});
