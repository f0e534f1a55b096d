import { describe, expect, it } from 'vitest';
import { heatDays, readPeriod } from './period.ts';
import { split } from './volume-queries.ts';

const now = new Date('2026-11-20T11:51:08Z');
const read = (query: string, zone = 'UTC', at = now) => readPeriod(new URLSearchParams(query), zone, at);

/** Address | shown period | compared period | unit | number of buckets | current bucket */
const periods = `
  period=today                      | today 2026-11-20 2026-11-20 | 2026-11-19 2026-11-19 | hour | 24 | 11
  period=7                          | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  period=30                         | 30 2026-10-22 2026-11-20    | 2026-09-22 2026-10-21 | day  | 30 | 29
  period=90                         | 90 2026-08-23 2026-11-20    | 2026-05-25 2026-08-22 | day  | 90 | 89
                                    | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  period=constructor                | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  period=forever                    | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  from=2026-11-01&to=2026-11-10     | dates 2026-11-01 2026-11-10 | 2026-10-22 2026-10-31 | day  | 10 | -
  from=2026-11-18                   | dates 2026-11-18 2026-11-20 | 2026-11-15 2026-11-17 | day  | 3  | 2
  from=2026-11-10&to=2026-11-01     | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  from=2026-02-30&to=2026-03-01     | 7 2026-11-14 2026-11-20     | 2026-11-07 2026-11-13 | day  | 7  | 6
  from=2020-01-01&to=2026-11-20     | dates 2026-08-21 2026-11-20 | 2026-05-21 2026-08-20 | day  | 92 | 91`;

describe('the period of the overview', () => {
  it.each(periods.slice(1).split('\n'))('%s', (line) => {
    const [query = '', ...expected] = line.split('|').map((part) => part.trim());
    const { period, starts } = read(query);
    const { id, from, to, beforeFrom, beforeTo, unit, running } = period;
    const matches = [
      `${id} ${from} ${to}`,
      `${beforeFrom} ${beforeTo}`,
      unit,
      String(starts.length),
      String(running ?? '-'),
    ];
    expect(matches).toEqual(expected);
  });

  it('has the days of the zone', () => {
    const { period, starts, until } = read('period=7', 'Asia/Tokyo');
    expect([period.to, starts[0]?.toISOString(), until.toISOString()]).toEqual([
      '2026-11-20',
      '2026-11-13T15:00:00.000Z',
      '2026-11-20T15:00:00.000Z',
    ]);
  });

  it.each([
    ['2026-03-29', 23],
    ['2026-10-25', 25],
  ])('gives %s the hours that it has in Berlin', (day, hours) => {
    expect(read(`from=${day}&to=${day}`, 'Europe/Berlin').starts).toHaveLength(hours);
  });

  it('names each hour of a day once in the heat map, however many there are', () => {
    const days = heatDays(read('from=2026-10-24&to=2026-10-26', 'Europe/Berlin'), 'Europe/Berlin', 7);
    expect(days.map(({ day, hours }) => [day, hours.length, hours.filter(({ hour }) => hour === 2).length])).toEqual([
      ['2026-10-24', 24, 1],
      ['2026-10-25', 25, 2],
      ['2026-10-26', 24, 1],
    ]);
  });

  it('shows the last seven days of a longer period in the heat map', () => {
    expect(heatDays(read('period=30'), 'UTC', 7).map(({ day }) => day)).toEqual(
      ['14', '15', '16', '17', '18', '19', '20'].map((day) => `2026-11-${day}`),
    );
  });
});

describe('the previous period, cut at the elapsed time', () => {
  const starts = ['2026-11-01', '2026-11-02', '2026-11-03'].map((day) => new Date(`${day}T00:00:00Z`));
  it.each([
    ['inside a bucket', '2026-11-02T12:00:00Z', 4, [0, 1, 1, 2]],
    ['at a boundary', '2026-11-02T00:00:00Z', 3, [0, 1, 2]],
    ['in the last bucket', '2026-11-03T12:00:00Z', 4, [0, 1, 2, 2]],
  ])('%s', (_what, at, count, owners) => {
    const matches = split(starts, new Date(at));
    expect([matches.starts.length, matches.owners]).toEqual([count, owners]);
  });
});
