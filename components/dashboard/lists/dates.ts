// Formats calendar days. They have no hour and no time zone.

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `30 Nov 2026` of `2026-11-30`. */
export function dateText(date: string): string {
  return `${Number(date.slice(8))} ${monthText(date)} ${date.slice(0, 4)}`;
}

/** `Nov` of a day or a month. */
export function monthText(date: string): string {
  return months[Number(date.slice(5, 7)) - 1] ?? '';
}
