/** Amounts and dates of settlement reports, which are written in the formats of many providers. Nothing is guessed. */
import { isDate } from '../core/dates.ts';
import { parseAmount } from '../core/money.ts';
import type { Mapping } from './mapping.ts';

const patterns = {
  '.': /^(?:\d+|\d{1,3}(?:,\d{3})+)(?:\.\d+)?$/,
  ',': /^(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/,
} as const;

/**
 * Reads an amount such as `1.234,56`, `-12.00`, `12.00-` or `(12.00)` as minor units of `currency`. Thousands are separated
 * in groups of three, or not at all; spaces between them are left out. Null: not an amount of this currency in the format.
 */
export function readAmount(text: string, currency: string, decimal: Mapping['decimal']): bigint | null {
  const compact = text.replace(/[\s\u00a0\u202f']/g, '').replaceAll('\u2212', '-');
  const signed = /^(?:(-)|\+)?(.+?)(-)?$/.exec(compact.replace(/^\((.+)\)$/, '-$1'));
  if (!signed || (signed[1] && signed[3])) return null;
  const number = signed[2] ?? '';
  if (!patterns[decimal].test(number)) return null;
  const [whole = '', decimals] = number.replaceAll(decimal === '.' ? ',' : '.', '').split(decimal);
  const plain = whole.replace(/^0+(?=\d)/, '');
  const read = parseAmount(decimals === undefined ? plain : `${plain}.${decimals}`, currency);
  if (!read.ok) return null;
  return signed[1] || signed[3] ? -read.minor : read.minor;
}

const order = { 'YYYY-MM-DD': 'ymd', 'DD.MM.YYYY': 'dmy', 'DD/MM/YYYY': 'dmy', 'MM/DD/YYYY': 'mdy' } as const;
const days = {
  'YYYY-MM-DD': /^(\d{4})-(\d{2})-(\d{2})(.*)$/,
  'DD.MM.YYYY': /^(\d{1,2})\.(\d{1,2})\.(\d{4})(.*)$/,
  'DD/MM/YYYY': /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/,
  'MM/DD/YYYY': /^(\d{1,2})\/(\d{1,2})\/(\d{4})(.*)$/,
} as const;

const timeOfDay =
  /^[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)(?:[.,]\d{1,9})?(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?))?$/;

/**
 * Reads a date, with a time or without, as a day `YYYY-MM-DD` of `timeZone`: a time with an offset (`Z`, `UTC`, `+0100`) is
 * converted, any other is of that zone already. Null for another format, a day that does not exist, and any other text after it.
 */
export function readDay(text: string, { date: format, timeZone }: Pick<Mapping, 'date' | 'timeZone'>): string | null {
  const match = days[format].exec(text.trim());
  if (!match) return null;
  const parts: Record<string, string> = {};
  for (const [at, part] of [...order[format]].entries()) parts[part] = match[at + 1] ?? '';
  const day = `${parts.y}-${parts.m?.padStart(2, '0')}-${parts.d?.padStart(2, '0')}`;
  if (!isDate(day)) return null;
  const rest = match[4] ?? '';
  if (rest === '') return day;
  const [, time, zone] = timeOfDay.exec(rest) ?? [];
  if (time === undefined) return null;
  if (zone === undefined) return day;
  const instant = new Date(`${day}T${time}${offsetOf(zone)}`);
  return Number.isNaN(instant.getTime()) ? null : dayFormat(timeZone).format(instant);
}

/** An offset as ISO 8601 writes it. */
function offsetOf(zone: string): string {
  if (!/^[+-]/.test(zone)) return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone[0]}${digits.slice(0, 2)}:${digits.slice(2)}`;
}

const formats = new Map<string, Intl.DateTimeFormat>();

function dayFormat(timeZone: string): Intl.DateTimeFormat {
  let found = formats.get(timeZone);
  if (!found) {
    // The Canadian form of a date is that of ISO 8601.
    found = new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
    formats.set(timeZone, found);
  }
  return found;
}
