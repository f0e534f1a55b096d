import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { defaultRateLimits, networkOf, parseRateLimits, slidingCount, waitSeconds } from './rate-limits.ts';

describe('the setting', () => {
  test('is off, the default limits, or different ones', () => {
    expect(parseRateLimits('off')).toBeNull();
    expect(parseRateLimits('on')).toEqual(defaultRateLimits);
    expect(parseRateLimits('pay.address=5, sign_in.address=7')).toEqual({
      ...defaultRateLimits,
      'pay.address': 5,
      'sign_in.address': 7,
    });
    const all = parseRateLimits('all=9 s2s.merchant=3');
    expect(all).toMatchObject({ 's2s.merchant': 3, 'checkout.address': 9, 'fields.merchant': 9 });
  });

  test.each([
    'pay=5',
    'pay.address=0',
    'pay.address=-1',
    'pay.address',
    'pay.address=5 pay.address=6',
    'all=10000000000',
  ])('is not "%s"', (text) => expect(parseRateLimits(text)).toBeUndefined());
});

const slid = fc.record({
  current: fc.integer({ min: 0, max: 500 }),
  previous: fc.integer({ min: 0, max: 500 }),
  passed: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

describe('the sliding minute', () => {
  test('counts the remaining part of the previous minute', () => {
    expect(slidingCount({ current: 10, previous: 40, passed: 0.75 })).toBe(20);
  });

  test.each([
    // current, previous, passed, limit, seconds
    [5, 0, 0.5, 10, 0],
    [9, 0, 0.5, 10, 0],
    [10, 0, 0.5, 10, 36],
    [0, 60, 0, 31, 30],
    [60, 0, 0.5, 60, 31],
    [1, 0, 0, 1, 120],
  ])('%i now, %i before, %d gone, limit %i: %i seconds', (current, previous, passed, limit, seconds) => {
    expect(waitSeconds({ current, previous, passed }, limit, 60)).toBe(seconds);
  });

  test('accepts another request after the returned seconds, if no other arrives', () => {
    fc.assert(
      fc.property(slid, fc.integer({ min: 1, max: 400 }), (window, limit) => {
        const seconds = waitSeconds(window, limit, 60);
        const at = window.passed + seconds / 60 + 1e-9;
        const later =
          at < 1
            ? { ...window, passed: at }
            : { current: 0, previous: at < 2 ? window.current : 0, passed: at < 2 ? at - 1 : 0 };
        return Number.isInteger(seconds) && slidingCount(later) + 1 <= limit + 1e-6;
      }),
    );
  });
});

describe('the counted unit of an address', () => {
  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::ffff:203.0.113.9', '203.0.113.9'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['', ''],
    ['not:an:address', 'not:an:address'],
  ])('%s: %s', (address, network) => expect(networkOf(address)).toBe(network));

  test('can have fewer bits of IPv6', () => {
    expect(networkOf('2001:db8:1:2:3:4:5:6', 48)).toBe('2001:db8:1::/48');
    expect(networkOf('203.0.113.9', 48)).toBe('203.0.113.9');
  });
});
