import { expect, test } from 'vitest';
import { openGauge } from './capacity';

/** What the gauge says at times in milliseconds, with how many seconds the next one has waited then. */
function said(looks: [at: number, waited: number][]): boolean[] {
  let waited = 0;
  const isBehind = openGauge(() => waited);
  return looks.map(([at, seconds]) => {
    waited = seconds;
    return isBehind(at);
  });
}

test('a queue that stays long for more than a second stands, until it is short', () => {
  const looks: [number, number][] = [
    [0, 0],
    [100, 0.3],
    [600, 0.4],
    [1100, 0.4],
    [1101, 0.4],
    [1500, 0.08],
    [1600, 0.3],
    [1700, 0.05],
    [12_000, 0.3],
  ];
  // A long one soon after it is the same; later it has to last again.
  expect(said(looks)).toEqual([false, false, false, false, true, false, true, false, false]);
});

test('a crowd is worked off', () => {
  expect(said(Array.from({ length: 100 }, (_, place) => [place * 9, 0.8]))).not.toContain(true);
});

test('what nobody has looked at for a second is looked at anew', () => {
  const looks: [number, number][] = [
    [0, 0.3],
    [60_000, 0.3],
    [60_900, 0.3],
    [61_100, 0.3],
  ];
  expect(said(looks)).toEqual([false, false, false, true]);
});
