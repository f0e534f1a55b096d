import { expect, test } from 'vitest';
import { overloadDetector } from './pool-wait-queue.ts';

const connections = 16;

/**
 * The detector's results at times in milliseconds, with the queue's length and the seconds that its first statement has
 * waited.
 */
function resultsOf(samples: [at: number, length: number, seconds: number][]): boolean[] {
  let queue = { length: 0, seconds: 0 };
  const isOverloaded = overloadDetector(
    () => queue,
    () => connections,
  );
  return samples.map(([at, length, seconds]) => {
    queue = { length, seconds };
    return isOverloaded(at);
  });
}

test('a queue that is long for more than a second means overload until no more wait than there are connections', () => {
  expect(
    resultsOf([
      [0, 0, 0],
      [100, 200, 0.3],
      [600, 300, 0.4],
      [1100, 300, 0.4],
      [1101, 300, 0.4],
      [1300, 17, 0.02],
      // The first statement has waited since the queue was longer.
      [1400, 16, 0.3],
      [1500, 4, 0.01],
    ]),
  ).toEqual([false, false, false, false, true, true, false, false]);
});

const overload: [number, number, number][] = [
  [0, 40, 0.3],
  [1000, 40, 0.3],
  [1001, 40, 0.3],
];

test('an overload continues while the queue is crowded again and again', () => {
  expect(resultsOf([...overload, [1200, 3, 0], [1500, 17, 0.01], [1900, 0, 0], [2000, 17, 0.01]])).toEqual([
    ...[false, false, true],
    ...[false, true, false, true],
  ]);
});

test('a short burst soon after an overload refuses no request, but one of a quarter of a second does', () => {
  expect(
    resultsOf([
      ...overload,
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

test('long after an overload the next long queue has to last a second again', () => {
  expect(resultsOf([...overload, [11_100, 20, 0.3], [11_900, 20, 0.3], [12_102, 20, 0.3]])).toEqual([
    ...[false, false, true],
    ...[false, false, true],
  ]);
});

test('a burst is worked off', () => {
  expect(resultsOf(Array.from({ length: 100 }, (_, place) => [place * 9, 100, 0.8]))).not.toContain(true);
});

test('a gap of a second between samples starts the measurement again', () => {
  expect(
    resultsOf([
      [0, 50, 0.3],
      [60_000, 50, 0.3],
      [60_900, 50, 0.3],
      [61_100, 50, 0.3],
    ]),
  ).toEqual([false, false, false, true]);
});
