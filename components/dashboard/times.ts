// Formats times in the user's zone with fixed month names, so that the server and every browser give the same text.

export const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const formats = new Map<string, Intl.DateTimeFormat>();

function partsOf(iso: string, zone: string): Record<string, string> {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    });
  formats.set(zone, format);
  return Object.fromEntries(format.formatToParts(new Date(iso)).map(({ type, value }) => [type, value]));
}

/** `20 Nov`. */
export function dayText(iso: string, zone: string): string {
  const { day, month } = partsOf(iso, zone);
  return `${Number(day)} ${months[Number(month) - 1]}`;
}

/** `12:51:08`. */
export function timeText(iso: string, zone: string): string {
  const { hour, minute, second } = partsOf(iso, zone);
  return `${hour}:${minute}:${second}`;
}

/** `20 Nov 2026, 12:51:08`. */
export function dateTimeText(iso: string, zone: string): string {
  return `${dayText(iso, zone)} ${partsOf(iso, zone).year}, ${timeText(iso, zone)}`;
}

/** `UTC+1`, `UTC−3:30`: the zone's offset at that time. */
export function zoneText(iso: string, zone: string): string {
  const { year, month, day, hour, minute, second } = partsOf(iso, zone);
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  const minutes = Math.round((local - new Date(iso).getTime()) / 60_000);
  if (minutes === 0) return 'UTC';
  const hours = Math.floor(Math.abs(minutes) / 60);
  const rest = Math.abs(minutes) % 60;
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`;
}

/** `+37 s`, `+1 m 47 s`, `+2 h 5 m`, `+3 d`: the time since the previous event. */
export function sinceText(from: string, to: string): string {
  const milliseconds = new Date(to).getTime() - new Date(from).getTime();
  if (milliseconds < 10_000) return `+${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  if (seconds < 60) return `+${seconds} s`;
  if (seconds < 3600) return `+${Math.floor(seconds / 60)} m ${seconds % 60} s`;
  if (seconds < 86_400) return `+${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} m`;
  return `+${Math.floor(seconds / 86_400)} d ${Math.floor((seconds % 86_400) / 3600)} h`;
}

/** `30 Nov 2026` for `2026-11-30`: a day has no time zone. An invalid one is returned unchanged. */
export function dateText(date: string): string {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date) ?? [];
  const name = months[Number(month) - 1];
  return name === undefined ? date : `${Number(day)} ${name} ${year}`;
}

/** `Nov` of a day or a month. */
export function monthText(date: string): string {
  return months[Number(date.slice(5, 7)) - 1] ?? '';
}
