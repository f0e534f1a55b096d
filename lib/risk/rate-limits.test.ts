import { afterEach, expect, it, vi } from 'vitest';
import { addCounts, getSlidingCounter, retryAfterForAddress, retryAfterForUser } from './rate-limits.ts';

const counters = [getSlidingCounter('rate', 60), getSlidingCounter('own-rate', 60)];
afterEach(() => {
  for (const { current } of counters) current.entries.clear();
  vi.useRealTimers();
});

it('a counter that addresses have filled still limits users', () => {
  vi.useFakeTimers({ now: new Date('2026-11-20T12:50:00Z') });
  const never = { hits: Number.POSITIVE_INFINITY };
  for (let key = 0; key < 100_000; key += 1)
    addCounts(getSlidingCounter('rate', 60), `key ${key}`, { hits: 1, bad: 0 }, never, Date.now());
  const accepted = (wait: () => number) => Array.from({ length: 100 }, wait).filter((seconds) => seconds === 0).length;
  // A further address is not counted, and so it is not limited either.
  expect(accepted(() => retryAfterForAddress('sign_in', '198.51.100.7'))).toBe(100);
  expect(accepted(() => retryAfterForUser('dashboard_costly', 'ann'))).toBe(30);
});
