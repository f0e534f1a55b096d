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
const shapes = {
  'YYYY-MM-DD': /^(\d{4})-(\d{2})-(\d{2})(?:[T ]\d{2}:\d{2}.{0,24})?$/,
  'DD.MM.YYYY': /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?: \d{2}:\d{2}.{0,24})?$/,
  'DD/MM/YYYY': /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{2}:\d{2}.{0,24})?$/,
  'MM/DD/YYYY': /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?: \d{2}:\d{2}.{0,24})?$/,
} as const;

const withOffset = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads a date, with a time or without, as a day `YYYY-MM-DD` of `timeZone`: a time with an offset is converted, any other
 * is of that zone already. Null for another format and for a day that does not exist.
 */
export function readDay(text: string, { date: format, timeZone }: Pick<Mapping, 'date' | 'timeZone'>): string | null {
  const match = shapes[format].exec(text.trim());
  if (!match) return null;
  const parts: Record<string, string> = {};
  for (const [at, part] of [...order[format]].entries()) parts[part] = match[at + 1] ?? '';
  const day = `${parts.y}-${parts.m?.padStart(2, '0')}-${parts.d?.padStart(2, '0')}`;
  if (!isDate(day)) return null;
  if (!withOffset.test(text.trim())) return day;
  const instant = new Date(text.trim().replace(' ', 'T'));
  return Number.isNaN(instant.getTime()) ? null : dayFormat(timeZone).format(instant);
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
