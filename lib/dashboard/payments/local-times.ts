/**
 * Formats times in a zone with their UTC offset, a million at a time: the offset is computed once per quarter of an
 * hour.
 */

const hourMilliseconds = 3_600_000;

/** A formatter of times in `zone`, as `2026-11-20T13:51:08.123+01:00`. */
export function localTimes(zone: string): (at: Date) => string {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, timeZoneName: 'longOffset' });
  const minutesOf = new Map<number, number>();
  return (at) => {
    // Zones change their offset at a quarter of an hour at the finest.
    const quarter = Math.floor(at.getTime() / (hourMilliseconds / 4));
    let minutes = minutesOf.get(quarter);
    if (minutes === undefined) {
      const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? 'GMT';
      minutes = offsetMinutes(name);
      minutesOf.set(quarter, minutes);
    }
    const local = new Date(at.getTime() + minutes * 60_000).toISOString().slice(0, -1);
    return local + offsetText(minutes);
  };
}

/** `GMT+05:45` as minutes. */
function offsetMinutes(name: string): number {
  const [, sign = '+', hours = '0', minutes = '0'] = /^GMT([+-])(\d{2}):(\d{2})/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}

function offsetText(minutes: number): string {
  const distance = Math.abs(minutes);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(distance / 60))}:${two(distance % 60)}`;
}
