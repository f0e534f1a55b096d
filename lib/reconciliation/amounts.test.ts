// Amounts and dates as providers write them; the expected values are written out by hand.
import { expect, it } from 'vitest';
import { readAmount, readDay } from './amounts.ts';

it.each([
  ['1.234,56', 'EUR', ',', 123456n],
  ['1234,56', 'EUR', ',', 123456n],
  ['1 234,56', 'EUR', ',', 123456n],
  ['1\u202f234,5', 'EUR', ',', 123450n],
  ['-12,00', 'EUR', ',', -1200n],
  ['12.00-', 'EUR', '.', -1200n],
  ['(12.00)', 'EUR', '.', -1200n],
  ['\u221212.00', 'EUR', '.', -1200n],
  ['+0.5', 'EUR', '.', 50n],
  ['007.10', 'EUR', '.', 710n],
  ['1,234,567.89', 'USD', '.', 123456789n],
  ['1.234', 'JPY', ',', 1234n],
  ['1.234', 'KWD', '.', 1234n],
  ["12'345.00", 'CHF', '.', 1234500n],
] as const)('reads %s %s with %s as %s', (text, currency, decimal, minor) => {
  expect(readAmount(text, currency, decimal)).toBe(minor);
});

it.each([
  // A separator in the wrong place is no thousands separator: the amount is not guessed.
  ['1.234,56', 'EUR', '.'],
  ['1,234.56', 'EUR', ','],
  ['1.23,45', 'EUR', ','],
  ['12.34', 'EUR', ','],
  ['1,2', 'EUR', '.'],
  ['0.005', 'EUR', '.'],
  ['1.5', 'JPY', '.'],
  ['', 'EUR', '.'],
  ['-', 'EUR', '.'],
  ['--1', 'EUR', '.'],
  ['-1-', 'EUR', '.'],
  ['1e3', 'EUR', '.'],
  ['NaN', 'EUR', '.'],
  ['0x10', 'EUR', '.'],
  ['EUR 5.00', 'EUR', '.'],
  ['9999999999999999.00', 'EUR', '.'],
  ['5.00', 'XXQ', '.'],
] as const)('does not read %s %s with %s', (text, currency, decimal) => {
  expect(readAmount(text, currency, decimal)).toBeNull();
});

it.each([
  ['2026-11-30', 'YYYY-MM-DD', 'UTC', '2026-11-30'],
  ['2026-11-30 23:59:59', 'YYYY-MM-DD', 'America/New_York', '2026-11-30'],
  // An instant belongs to the day of the provider's time zone.
  ['2026-11-30T23:30:00Z', 'YYYY-MM-DD', 'Europe/Berlin', '2026-12-01'],
  ['2026-11-30T02:00:00+00:00', 'YYYY-MM-DD', 'America/New_York', '2026-11-29'],
  ['2026-11-30 23:30:00 +0000', 'YYYY-MM-DD', 'Europe/Berlin', '2026-12-01'],
  ['2026-11-30 23:30:00 UTC', 'YYYY-MM-DD', 'Europe/Berlin', '2026-12-01'],
  ['2026-11-30T23:30:00.123456+00', 'YYYY-MM-DD', 'Europe/Berlin', '2026-12-01'],
  ['30.11.2026 23:30 +0000', 'DD.MM.YYYY', 'Europe/Berlin', '2026-12-01'],
  ['1.2.2026', 'DD.MM.YYYY', 'UTC', '2026-02-01'],
  ['01/02/2026', 'DD/MM/YYYY', 'UTC', '2026-02-01'],
  ['01/02/2026', 'MM/DD/YYYY', 'UTC', '2026-01-02'],
] as const)('reads %s as %s of %s', (text, date, timeZone, day) => {
  expect(readDay(text, { date, timeZone })).toBe(day);
});

it.each([
  ['2026-02-30', 'YYYY-MM-DD'],
  ['2026-1-1', 'YYYY-MM-DD'],
  ['30.11.2026', 'MM/DD/YYYY'],
  ['13/13/2026', 'DD/MM/YYYY'],
  ['2026-11-30T99:99:99Z', 'YYYY-MM-DD'],
  // A rest that could change the day is not skipped.
  ['2026-11-30 23:30:00 CET', 'YYYY-MM-DD'],
  ['2026-11-30 99:99', 'YYYY-MM-DD'],
  ['2026-11-30 11:30 of another day', 'YYYY-MM-DD'],
  ['2026-11-30Z', 'YYYY-MM-DD'],
  ['', 'YYYY-MM-DD'],
] as const)('does not read %s as %s', (text, date) => {
  expect(readDay(text, { date, timeZone: 'UTC' })).toBeNull();
});
