import { expect, test } from 'vitest';
import { overloadDetector } from './load-shedding';

const connections = 16;

/** What the gauge says at times in milliseconds, with how many wait and for how many seconds the next one has waited. */
function said(looks: [at: number, length: number, seconds: number][]): boolean[] {
  let line = { length: 0, seconds: 0 };
  const isBehind = overloadDetector(
    () => line,
    () => connections,
  );
  return looks.map(([at, length, seconds]) => {
    line = { length, seconds };
    return isBehind(at);
  });
}

test('a queue that stays long for more than a second stands, until no more wait than there are connections', () => {
  expect(
    said([
      [0, 0, 0],
      [100, 200, 0.3],
      [600, 300, 0.4],
      [1100, 300, 0.4],
      [1101, 300, 0.4],
      [1300, 17, 0.02],
      // The next one has waited since the queue was longer.
      [1400, 16, 0.3],
      [1500, 4, 0.01],
    ]),
  ).toEqual([false, false, false, false, true, true, false, false]);
});

const stood: [number, number, number][] = [
  [0, 40, 0.3],
  [1000, 40, 0.3],
  [1001, 40, 0.3],
];

test('one that stands goes on standing while it is crowded again and again', () => {
  expect(said([...stood, [1200, 3, 0], [1500, 17, 0.01], [1900, 0, 0], [2000, 17, 0.01]])).toEqual([
    ...[false, false, true],
    ...[false, true, false, true],
  ]);
});

test('a moment soon after it has calmed down refuses nobody, but what lasts a quarter of a second does', () => {
  expect(
    said([
      ...stood,
      [1200, 0, 0],
      [1600, 110, 0.05],
      [1700, 60, 0.05],
      [1800, 0, 0],
      [3000, 110, 0.05],
      [3200, 300, 0.05],
      [3251, 300, 0.05],
    ]),
  ).toEqual([...[false, false, true], false, ...[false, false, false], ...[false, false, true]]);
});

test('long after one has stood the next has to last again', () => {
  expect(said([...stood, [11_100, 20, 0.3], [11_900, 20, 0.3], [12_102, 20, 0.3]])).toEqual([
    ...[false, false, true],
    ...[false, false, true],
  ]);
});

test('a crowd is worked off', () => {
  expect(said(Array.from({ length: 100 }, (_, place) => [place * 9, 100, 0.8]))).not.toContain(true);
});

test('what nobody has looked at for a second is looked at anew', () => {
  expect(
    said([
      [0, 50, 0.3],
      [60_000, 50, 0.3],
      [60_900, 50, 0.3],
      [61_100, 50, 0.3],
    ]),
  ).toEqual([false, false, false, true]);
});
