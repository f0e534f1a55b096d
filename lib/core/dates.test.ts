import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { daysInMonth, isBirthDate, isDate, isoDay, parseWireDate, sameDay, wireDate } from './dates.ts';

const moments = fc.date({
  min: new Date('1000-01-01T00:00:00Z'),
  max: new Date('9999-12-31T23:59:59Z'),
  noInvalidDate: true,
});

describe('wire dates', () => {
  it('are UTC with seconds', () => {
    expect(wireDate(new Date('2026-03-04T05:06:07.890Z'))).toBe('2026-03-04 05:06:07');
    expect(wireDate(new Date('2026-03-04T23:30:00-05:00'))).toBe('2026-03-05 04:30:00');
    expect(isoDay(new Date('2026-03-04T23:30:00-05:00'))).toBe('2026-03-05');
  });

  it('are read back to the second', () => {
    fc.assert(
      fc.property(moments, (moment) => {
        expect(parseWireDate(wireDate(moment))?.getTime()).toBe(Math.floor(moment.getTime() / 1000) * 1000);
      }),
    );
  });

  it.each([
    '',
    '2026-03-04',
    '2026-02-30 00:00:00',
    '2026-03-04 24:00:00',
    '2026-03-04T05:06:07',
    '2026-03-04 05:60:07',
  ])('refuse %j', (text) => {
    expect(parseWireDate(text)).toBeNull();
  });
});

describe('calendar dates', () => {
  it.each([
    ['2024-02-29', true],
    ['2026-02-29', false],
    ['2000-02-29', true],
    ['1900-02-29', false],
    ['2026-04-31', false],
    ['2026-12-31', true],
    ['2026-13-01', false],
    ['2026-00-10', false],
    ['2026-01-00', false],
    ['0000-01-01', false],
    ['26-01-01', false],
    ['2026-1-1', false],
    ['2026-01-01 ', false],
    ['2026-01-01\n', false],
    ['٢٠٢٦-٠١-٠١', false],
  ])('%j is a date: %s', (text, real) => {
    expect(isDate(text)).toBe(real);
  });

  it('agree with the calendar of the platform', () => {
    fc.assert(fc.property(moments, (moment) => isDate(isoDay(moment))));
    fc.assert(
      fc.property(fc.integer({ min: 1000, max: 9998 }), fc.integer({ min: 1, max: 12 }), (year, month) => {
        expect(daysInMonth(year, month)).toBe(new Date(Date.UTC(year, month, 0)).getUTCDate());
      }),
    );
  });

  it('are valid dates of birth for living persons', () => {
    const now = new Date('2026-11-20T12:00:00Z');
    expect(isBirthDate('1990-05-17', now)).toBe(true);
    expect(isBirthDate('2026-11-21', now)).toBe(true);
    expect(isBirthDate('2026-11-22', now)).toBe(false);
    expect(isBirthDate('1896-11-22', now)).toBe(true);
    expect(isBirthDate('1896-11-20', now)).toBe(false);
    expect(isBirthDate('1990-02-30', now)).toBe(false);
  });

  it('are the same day by UTC', () => {
    expect(sameDay(new Date('2026-01-01T00:00:00Z'), new Date('2026-01-01T23:59:59Z'))).toBe(true);
    expect(sameDay(new Date('2026-01-01T23:59:59Z'), new Date('2026-01-02T00:00:00Z'))).toBe(false);
  });
});
