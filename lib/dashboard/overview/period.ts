/** The overview's period and the previous one, cut into days of the user's zone, or into the hours of one day. */
import { Temporal } from 'temporal-polyfill';
import { readDay } from '../lists/query.ts';

/** Longer periods would be slow to read and unreadable when drawn. */
const daysMax = 92;
type PlainDate = Temporal.PlainDate;
const presets = { today: 1, '7': 7, '30': 30, '90': 90 } as const;

/** A period with the start instants of its buckets. */
export type Cut = ReturnType<typeof readPeriod>;
export type Period = Cut['period'];

/** Reads `period` (today, 7, 30, 90), or `from` and `to` (days in `zone`); defaults to seven days. */
export function readPeriod(query: URLSearchParams, zone: string, now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(zone).toPlainDate();
  const picked = readDays(query, today);
  const requested = query.get('period') ?? '';
  const id = picked ? 'dates' : Object.hasOwn(presets, requested) ? (requested as keyof typeof presets) : '7';
  const to = picked?.to ?? today;
  const from = picked?.from ?? today.subtract({ days: presets[id as keyof typeof presets] - 1 });
  return cut(id, from, to, zone, now);
}

function readDays(query: URLSearchParams, today: PlainDate) {
  const [from, to = today] = ['from', 'to'].map((name) => {
    const day = readDay(query.get(name));
    return day && day.year >= 2000 && day.year < 2200 ? day : undefined;
  });
  if (!from || Temporal.PlainDate.compare(from, to) > 0) return null;
  const earliest = to.subtract({ days: daysMax - 1 });
  return { from: Temporal.PlainDate.compare(from, earliest) < 0 ? earliest : from, to };
}

function cut(id: keyof typeof presets | 'dates', from: PlainDate, to: PlainDate, zone: string, now: Date) {
  const days = from.until(to).days + 1;
  const beforeFrom = from.subtract({ days });
  const beforeTo = from.subtract({ days: 1 });
  const unit = days === 1 ? 'hour' : 'day';
  const { starts, until, names } = bucketsOf(unit, from, to, zone);
  const before = bucketsOf(unit, beforeFrom, beforeTo, zone);
  const running = now < until ? starts.findLastIndex((start) => start <= now) : -1;
  const period = {
    /** `buckets`: each bucket's day, or hour of the day as `14`. `running`: the current one; null for a past period. */
    id,
    unit: unit as 'hour' | 'day',
    buckets: names,
    running: running < 0 ? null : running,
    /** Days as `2026-11-20`: of the period, and of the previous one of the same length. */
    from: `${from}`,
    to: `${to}`,
    beforeFrom: `${beforeFrom}`,
    beforeTo: `${beforeTo}`,
  };
  return { period, starts, until, before: { starts: before.starts, until: before.until } };
}

function bucketsOf(unit: 'hour' | 'day', from: PlainDate, to: PlainDate, zone: string) {
  const end = to.add({ days: 1 }).toZonedDateTime(zone);
  const starts: Date[] = [];
  const names: string[] = [];
  let at = from.toZonedDateTime(zone);
  while (Temporal.ZonedDateTime.compare(at, end) < 0) {
    starts.push(new Date(at.epochMilliseconds));
    names.push(unit === 'hour' ? String(at.hour).padStart(2, '0') : `${at.toPlainDate()}`);
    at = at.add(unit === 'hour' ? { hours: 1 } : { days: 1 });
  }
  return { starts, until: new Date(end.epochMilliseconds), names };
}

/** The days of the heat map, newest last, each with the start instants of its hours. */
export function heatDays({ period }: Cut, zone: string, most: number) {
  const to = Temporal.PlainDate.from(period.to);
  const from = Temporal.PlainDate.from(period.from);
  const first = to.subtract({ days: most - 1 });
  let day = Temporal.PlainDate.compare(first, from) < 0 ? from : first;
  const days: { day: string; hours: { at: Date; hour: number }[] }[] = [];
  while (Temporal.PlainDate.compare(day, to) <= 0) {
    const { starts, names } = bucketsOf('hour', day, day, zone);
    days.push({ day: `${day}`, hours: starts.map((at, place) => ({ at, hour: Number(names[place]) })) });
    day = day.add({ days: 1 });
  }
  return days;
}
