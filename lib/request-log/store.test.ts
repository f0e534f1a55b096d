import { expect, it } from 'vitest';
import { defaultRateLimits } from '../core/rate-limits.ts';
import type { HttpRequest } from '../http/index.ts';
import { isFromAnyone, markPayingRequest } from './record.ts';
import { isWithinMinute } from './store.ts';

it('requests that anyone can send are limited for each merchant and address, by the minute', () => {
  const admitted = (merchant: string | null, address: (place: number) => string, minute: number) =>
    Array.from({ length: 200 }, (_, place) =>
      isWithinMinute(defaultRateLimits, merchant, address(place), minute),
    ).filter(Boolean).length;
  expect(admitted(null, () => '203.0.113.9', 1)).toBe(10);
  expect(admitted(null, (place) => `198.51.100.${place}`, 1)).toBe(90);
  expect(admitted('one', () => '203.0.113.9', 1)).toBe(10);
  expect(admitted('one', (place) => `198.51.100.${place}`, 1)).toBe(90);
  expect(admitted(null, (place) => `198.51.100.${place}`, 2)).toBe(100);
});

it('anyone can send a request whose signature was not verified, unless it has made an attempt to pay', () => {
  const request = { method: 'POST' } as HttpRequest;
  expect(isFromAnyone({ request, isSigned: false })).toBe(true);
  expect(isFromAnyone({ request, isSigned: true })).toBe(false);
  markPayingRequest(request);
  expect(isFromAnyone({ request, isSigned: false })).toBe(false);
});
