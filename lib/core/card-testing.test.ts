import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type AttemptCounts,
  blockText,
  type CardTestingCounts,
  findCardTestingBlock,
  isDefenceActive,
  isUnderSuspicion,
  defaultTestingLimits as limits,
  parseTestingLimits,
} from './card-testing.ts';

const quiet: CardTestingCounts = {
  session: 0,
  card: { attempts: 0, declines: 0 },
  address: { attempts: 0, declines: 0 },
  bin: { attempts: 0, declines: 0 },
  strict: false,
};
const ends = (attempts: number, declines: number, inProgress = 0): AttemptCounts => ({
  attempts,
  declines,
  inProgress,
});

describe('the setting', () => {
  test('is off, on, or different thresholds', () => {
    expect(parseTestingLimits('off')).toBeNull();
    expect(parseTestingLimits('on')).toEqual(limits);
    expect(parseTestingLimits('address=30, bin=40')).toEqual({ ...limits, address: 30, bin: 40 });
  });

  test.each(['address', 'address=0', 'share=101', 'minutes=1441', 'name=5', 'bin=1 bin=2'])('is not "%s"', (text) => {
    expect(parseTestingLimits(text)).toBeUndefined();
  });
});

describe('an attempt', () => {
  test.each<[string, Partial<CardTestingCounts>, string | null]>([
    ['of an unknown payer', {}, null],
    ['after nine declines of the payment', { session: 9 }, null],
    ['after ten', { session: 10 }, 'session'],
    ['with a card that was declined four times', { card: ends(4, 4) }, null],
    ['with one that was declined five times', { card: ends(5, 5) }, 'card'],
    ['with a card of which four attempts are in progress', { card: ends(0, 0, 4) }, null],
    ['with one of which five are in progress', { card: ends(0, 0, 5) }, 'card'],
    ['with one of three declines and two attempts in progress', { card: ends(3, 3, 2) }, 'card'],
    ['from an office with ten declines among many sales', { address: ends(200, 10) }, null],
    ['from an office where nineteen others pay at the moment', { address: ends(0, 0, 19) }, null],
    ['from one where fifty do, after many sales', { address: ends(200, 10, 50) }, null],
    ['from an address with a hundred attempts at once', { address: ends(0, 0, 100) }, 'address'],
    ['from an address with nine declines and ten attempts in progress', { address: ends(9, 9, 10) }, 'address'],
    ['from an address with ten declines of fifteen', { address: ends(15, 10) }, 'address'],
    ['from nowhere', { address: null }, null],
    ['with a common BIN', { bin: ends(400, 90) }, null],
    ['with a BIN that is being tried', { bin: ends(21, 20) }, 'bin'],
    ['with fewer declines, while the defence is active', { bin: ends(7, 7), strict: true }, 'bin'],
    ['with the same, while it is not', { bin: ends(7, 7) }, null],
  ])('%s', (_name, seen, by) => {
    expect(findCardTestingBlock({ ...quiet, ...seen }, limits)?.by ?? null).toBe(by);
  });

  const anyEnds = fc
    .tuple(fc.integer({ min: 0, max: 5000 }), fc.integer({ min: 0, max: 5000 }))
    .map(([good, bad]) => ends(good + bad, bad));
  const anySeen = fc.record({
    session: fc.integer({ min: 0, max: 9 }),
    card: anyEnds,
    address: fc.option(anyEnds),
    bin: anyEnds,
    strict: fc.boolean(),
  });

  test('is never blocked for the number of attempts: a busy shop with mostly approvals passes', () => {
    const honest = anyEnds.map(({ attempts, declines }) => ends(attempts * 2 + declines, declines));
    const crowd = fc.record({ card: honest, address: fc.option(honest), bin: honest });
    fc.assert(fc.property(crowd, (seen) => findCardTestingBlock({ ...quiet, ...seen }, limits) === null));
  });

  test('that is blocked remains blocked after one more decline, and under an active defence', () => {
    fc.assert(
      fc.property(anySeen, (seen) => {
        if (findCardTestingBlock(seen, limits) === null) return true;
        const more = ({ attempts, declines }: AttemptCounts) => ends(attempts + 1, declines + 1);
        const worse = {
          ...seen,
          card: more(seen.card),
          address: seen.address && more(seen.address),
          bin: more(seen.bin),
        };
        return (
          findCardTestingBlock(worse, limits) !== null &&
          findCardTestingBlock({ ...seen, strict: true }, limits) !== null
        );
      }),
    );
  });

  test('is blocked within a threshold of declines, independent of other addresses and BINs', () => {
    fc.assert(
      fc.property(fc.integer({ min: 20, max: 5000 }), (attempts) => {
        return findCardTestingBlock({ ...quiet, bin: ends(attempts, attempts) }, limits) !== null;
      }),
    );
  });
});

describe("a merchant's defence", () => {
  test.each([
    // attempts, declines, usual, active
    [49, 49, null, false],
    [50, 50, null, true],
    [1000, 300, 0.1, false],
    [100, 80, 0.2, true],
    [100, 80, 0.7, false],
    [100, 95, 0.7, true],
  ])('%i attempts, %i declines, usually %d: %s', (attempts, declines, usual, active) => {
    expect(isDefenceActive(ends(attempts, declines), usual, limits)).toBe(active);
  });

  test('queries the usual share only if there is something to compare', () => {
    expect(isUnderSuspicion(ends(10_000, 3_000), limits)).toBe(false);
    expect(isUnderSuspicion(ends(60, 60), limits)).toBe(true);
  });
});

test('a block reports its counts', () => {
  expect(blockText({ by: 'bin', declines: 20.4, attempts: 21.2 }, limits)).toBe(
    'stopped as card testing: 20 of 21 attempts of cards of these first six digits at this merchant declined within 10 minutes',
  );
  expect(blockText({ by: 'card', declines: 2, attempts: 2, inProgress: 3 }, limits)).toBe(
    'stopped as card testing: 2 of 2 attempts of this card number declined within 10 minutes, and 3 more in progress',
  );
  expect(blockText({ by: 'session', declines: 10, attempts: 10 }, limits)).toBe(
    'stopped as card testing: 10 declines of this payment',
  );
});
