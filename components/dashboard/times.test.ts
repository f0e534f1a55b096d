import { describe, expect, it } from 'vitest';
import { dateTimeText, dayText, sinceText, timeText, zoneText } from './times.ts';

const at = '2026-09-20T23:51:08.123Z';

describe('times', () => {
  it('are formatted in the zone, with fixed month names', () => {
    expect(dateTimeText(at, 'UTC')).toBe('20 Sep 2026, 23:51:08');
    expect(dayText(at, 'Europe/Belgrade')).toBe('21 Sep');
    expect(timeText(at, 'America/St_Johns')).toBe('21:21:08');
    expect(timeText('2026-01-01T00:00:00Z', 'UTC')).toBe('00:00:00');
  });

  it.each([
    ['UTC', 'UTC'],
    ['Europe/Belgrade', 'UTC+2'],
    ['America/St_Johns', 'UTC−2:30'],
    ['Asia/Kathmandu', 'UTC+5:45'],
  ])('%s is %s', (zone, wanted) => {
    expect(zoneText(at, zone)).toBe(wanted);
  });

  it.each([
    [400, '+0.4 s'],
    [9_900, '+9.9 s'],
    [37_000, '+37 s'],
    [107_000, '+1 m 47 s'],
    [7_500_000, '+2 h 5 m'],
    [270_000_000, '+3 d 3 h'],
  ])('%i ms later is %s', (milliseconds, wanted) => {
    expect(sinceText(at, new Date(new Date(at).getTime() + milliseconds).toISOString())).toBe(wanted);
  });
});
