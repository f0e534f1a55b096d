import { describe, expect, it } from 'vitest';
import { exportedAt } from './nightly-exports.ts';

describe('exportedAt', () => {
  it.each([
    ['2026-11-29', 'UTC', '2026-11-30T01:00:00Z'],
    ['2026-11-29', 'Asia/Kabul', '2026-11-29T20:30:00Z'],
    ['2026-11-29', 'America/Los_Angeles', '2026-11-30T09:00:00Z'],
    // Clocks go forward at 2:00 and back at 3:00 on these nights.
    ['2026-03-28', 'Europe/Berlin', '2026-03-29T00:00:00Z'],
    ['2026-10-24', 'Europe/Berlin', '2026-10-24T23:00:00Z'],
    // The hour after midnight does not exist on this night.
    ['2026-09-05', 'America/Santiago', '2026-09-06T04:00:00Z'],
    ['2028-02-28', 'UTC', '2028-02-29T01:00:00Z'],
  ])('is an hour after the end of %s in %s', (day, zone, at) => {
    expect(exportedAt(day, zone)).toEqual(new Date(at));
  });
});
