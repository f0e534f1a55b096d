// The statistics behind the printed figures: median, percentile and verdict.
import { describe, expect, it } from 'vitest';
import { isReached, median, percentile } from './report.ts';

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, at) => at + 1);

  it.each([
    [0.5, 50],
    [0.95, 95],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('%d of a hundred is %d', (part, value) => {
    expect(percentile(hundred, part)).toBe(value);
  });

  it('does not hide the slowest of few', () => {
    expect(percentile([1, 2, 900], 0.99)).toBe(900);
    expect(percentile([7], 0.5)).toBe(7);
  });

  it('is nothing of nothing', () => {
    expect(percentile([], 0.99)).toBeUndefined();
  });
});

describe('median', () => {
  it('is the middle, whatever the order, and the mean of two middles', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([10, 1, 2, 4])).toBe(3);
  });
});

describe('isReached', () => {
  it.each([
    ['at least, above', { value: 0.41, least: 0.4 }, true],
    ['at least, just there', { value: 0.4, least: 0.4 }, true],
    ['at least, below', { value: 0.39, least: 0.4 }, false],
    ['at most, below', { value: 14, most: 15 }, true],
    ['at most, above', { value: 15.1, most: 15 }, false],
    ['none allowed, none', { value: 0, most: 0 }, true],
    ['none allowed, one', { value: 1, most: 0 }, false],
    ['not measured', { value: null, most: 15 }, false],
    ['not a number', { value: Number.NaN, most: 15 }, false],
    ['there is no target', { value: 3 }, null],
  ])('%s', (_, figure, verdict) => {
    expect(isReached(figure)).toBe(verdict);
  });
});
