import { describe, expect, it } from 'vitest';
import * as format from './format.ts';

describe('numbers of the overview', () => {
  it.each([
    [12_481, '12,481'],
    [999, '999'],
    [1_000_000, '1,000,000'],
  ])('counts %d', (count, text) => expect(format.countText(count)).toBe(text));

  it.each([
    [0.916, '91.6'],
    [1, '100.0'],
    [null, '–'],
  ])('formats the share %s', (share, text) => expect(format.percentText(share)).toBe(text));

  it.each([
    [0.125, 'up', '12.5 %'],
    [-0.004, 'down', '0.4 %'],
    [0.0001, 'same', '0.0 %'],
    [15_902.131, 'up', 'over 999 %'],
  ])('formats the change %d', (change, direction, text) =>
    expect(format.changeText(change)).toEqual({ direction, text }),
  );

  it('formats no change without a previous value', () => expect(format.changeText(null)).toBeNull());

  it.each([
    [0.916, 0.92, 'down', '0.4 points'],
    [0.92, 0.916, 'up', '0.4 points'],
    [0.5, 0.5, 'same', '0.0 points'],
  ])('formats the difference of %d and %d', (now, before, direction, text) =>
    expect(format.pointsText(now, before)).toEqual({ direction, text }),
  );

  it.each([
    [61, 0, '+61'],
    [0, 12, '−12'],
    [3, 3, '0'],
  ])('formats %d compared with %d', (now, before, text) => expect(format.differenceText(now, before)).toBe(text));

  it.each([
    [80_000, '80k'],
    [1_500_000, '1.5M'],
    [2_000_000_000, '2B'],
    [250, '250'],
    [0.25, '0.25'],
  ])('formats %d on an axis', (value, text) => expect(format.axisText(value)).toBe(text));

  it.each([
    ['2026-11-07', '2026-11-20', '7 – 20 Nov 2026'],
    ['2026-10-24', '2026-11-06', '24 Oct – 6 Nov 2026'],
    ['2026-12-20', '2027-01-02', '20 Dec 2026 – 2 Jan 2027'],
    ['2026-11-20', '2026-11-20', '20 Nov 2026'],
  ])('formats the days %s to %s', (from, to, text) => expect(format.rangeText(from, to)).toBe(text));

  it.each([
    ['2026-11-07', 0, '7 Nov'],
    ['2026-11-08', 1, '8'],
    ['2026-12-01', 5, '1 Dec'],
    ['14', 14, '14'],
  ])('formats %s below a chart', (bucket, at, text) => expect(format.tickText(bucket, at)).toBe(text));

  it('shows as many labels as fit', () => {
    expect([format.labelStep(14, 700, 44), format.labelStep(30, 340, 44), format.labelStep(0, 0, 44)]).toEqual([
      1, 4, 1,
    ]);
  });
});
