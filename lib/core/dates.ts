/** Dates on the wire, in UTC. They are validated explicitly: `new Date('2026-02-30')` is the second of March. */

const two = (value: number): string => String(value).padStart(2, '0');

/** `YYYY-MM-DD` of a moment in UTC. */
export function isoDay(date: Date): string {
  return date.toISOString().slice(0, 10);
}

/** `YYYY-MM-DD hh:mm:ss` in UTC, the format of `date` and `trans_date` in responses and callbacks. */
export function wireDate(date: Date): string {
  return `${isoDay(date)} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())}`;
}

/** The moment of a `YYYY-MM-DD hh:mm:ss` text in UTC; null if it is not a valid date and time. */
export function parseWireDate(text: string): Date | null {
  const match = /^(\d{4}-\d{2}-\d{2}) (\d{2}):(\d{2}):(\d{2})$/.exec(text);
  const [, day = '', hours, minutes, seconds] = match ?? [];
  if (!match || !isDate(day) || Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null;
  return new Date(`${day}T${hours}:${minutes}:${seconds}Z`);
}

/** The number of days of a month (1..12) in a year of the Gregorian calendar. */
export function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

/** True for a valid day as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/**
 * True for a date of birth (`customer.birth_date`, `payer_birth_date`): a valid day, not after today in any time zone,
 * and within the last 130 years, which catches mistyped years.
 */
export function isBirthDate(text: string, now: Date): boolean {
  if (!isDate(text)) return false;
  const latest = isoDay(new Date(now.getTime() + 14 * 3_600_000));
  const earliest = String(now.getUTCFullYear() - 130).padStart(4, '0') + latest.slice(4);
  return text <= latest && text >= earliest;
}

/** True if both moments are on the same UTC day: the condition of a void. */
export function sameDay(a: Date, b: Date): boolean {
  return isoDay(a) === isoDay(b);
}
