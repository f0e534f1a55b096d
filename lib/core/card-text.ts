/**
 * Card numbers in texts for people. Payers and shops write them where they do not belong; there they are masked before
 * they are stored or sent on (PCI DSS 3.5.1).
 */
import { brands, digitsOf, luhn } from './cards.ts';

const digit = '[0-9٠-٩۰-۹０-９]';
// At most three characters between groups, as in `4111 - 1111`.
const groups = new RegExp(`${digit}+(?:[\\s._/\\-\\u2010-\\u2015\\u2212\\uff0d]{1,3}${digit}+)*`, 'g');
const notDigits = new RegExp(`[^${digit.slice(1, -1)}]+`, 'g');
/** Enough digits for a card number, with anything else in between: one way to match, so that long texts take linear time. */
const mayContain = new RegExp(`${digit}(?:[^${digit.slice(1, -1)}]{0,3}${digit}){12}`);

/**
 * A text with the middle digits of its card numbers replaced: `411111******1111`. A card number is made of complete groups
 * of digits, has the prefix and the length of a brand, and passes the check digit; a longer number is left alone.
 */
export function maskCardNumbers(text: string): string {
  if (!mayContain.test(text)) return text;
  return text.replace(groups, maskRun);
}

function maskRun(run: string): string {
  // A run can have a hundred thousand groups: where each begins and ends in it, and where it begins in its digits.
  const groups = groupsOf(run);
  const digits = digitsOf(run.replace(notDigits, ''));
  let masked = '';
  let from = 0;
  for (let first = 0; first < groups.length; first += 1) {
    const { at, start } = groups[first] as Group;
    const ranges = rangesByStart[Number(digits.slice(at, at + 2))];
    if (ranges?.length === 0) continue;
    for (let last = first; last < groups.length; last += 1) {
      const { at: before, start: begin, end } = groups[last] as Group;
      const length = before + end - begin - at;
      if (length > numberMost) break;
      if (!ranges?.some((range) => isCardNumber(digits, at, length, range))) continue;
      const number = digits.slice(at, at + length);
      masked += `${run.slice(from, start)}${number.slice(0, 6)}${'*'.repeat(length - 10)}${number.slice(-4)}`;
      from = end;
      first = last;
      break;
    }
  }
  return masked + run.slice(from);
}

type Group = { start: number; end: number; at: number };

function groupsOf(run: string): Group[] {
  const groups: Group[] = [];
  let at = 0;
  for (let place = 0; place < run.length; place += 1) {
    if (!isDigit(run.charCodeAt(place))) continue;
    const start = place;
    while (place < run.length && isDigit(run.charCodeAt(place))) place += 1;
    groups.push({ start, end: place, at });
    at += place - start;
  }
  return groups;
}

// ASCII, Arabic-Indic, Persian and fullwidth.
const isDigit = (code: number) =>
  code < 128
    ? code >= 0x30 && code <= 0x39
    : (code >= 0x0660 && code <= 0x0669) || (code >= 0x06f0 && code <= 0x06f9) || (code >= 0xff10 && code <= 0xff19);

const numberMost = 19;
type Range = { low: string; high: string; lengths: number[] };
const allRanges = brands.flatMap(({ ranges, lengths }) => ranges.map(([low, high]): Range => ({ low, high, lengths })));

/** The ranges of numbers that can begin with two digits. */
const rangesByStart = Array.from({ length: 100 }, (_, place) => {
  const two = String(place).padStart(2, '0');
  return allRanges.filter(({ low, high }) => two >= low.slice(0, 2) && two.slice(0, low.length) <= high.slice(0, 2));
});

function isCardNumber(digits: string, at: number, length: number, { low, high, lengths }: Range): boolean {
  if (length < 13 || !lengths.includes(length)) return false;
  const head = digits.slice(at, at + low.length);
  return head >= low && head <= high && luhn(digits.slice(at, at + length));
}

/**
 * Whether a member is named as a card's security code: `cvv`, `card_cvc2`, `securityCode`. The result of its check
 * (`cvv_result`) is not.
 */
export function isSecurityCodeName(name: string): boolean {
  const letters = name.toLowerCase().replace(/[^a-z]/g, '');
  return /(?:cvv|cvc|cvn|csc|(?:security|verification)(?:code|value))(?:code|value|number)?$/.test(letters);
}

/** The members that are texts for people, with and without `payer_` and `payee_`. Order numbers and accounts are not. */
const freeText =
  /^(?:(?:order|payer|payee|card)_)?(?:description|name|first_?name|last_?name|middle_?name|holder|address2?|house_number|city|state|district|comment|note|reason|descriptor|channel_id)$/i;

/** A copy of data with masked card numbers in its texts for people and in `custom_data`, and the paths of those members. */
export function maskFreeText<Data>(data: Data): { data: Data; masked: string[] } {
  const masked: string[] = [];
  const clean = (text: string, path: string): string => {
    const result = maskCardNumbers(text);
    if (result !== text) masked.push(path);
    return result;
  };
  const copy = (value: unknown, name: string, path: string, isCustom: boolean): unknown => {
    if (typeof value === 'string') return isCustom || freeText.test(name) ? clean(value, path) : value;
    if (typeof value === 'number' && isCustom) {
      const text = clean(String(value), path);
      return text === String(value) ? value : text;
    }
    if (Array.isArray(value)) return value.map((inner) => copy(inner, name, path, isCustom));
    if (!isPlain(value)) return value;
    const members = Object.entries(value).map(([inner, leaf]): [string, unknown] => {
      const outer = path === '' ? inner : `${path}.${inner}`;
      const place = isCustom ? path : outer;
      return [isCustom ? clean(inner, path) : inner, copy(leaf, inner, place, isCustom || inner === 'custom_data')];
    });
    return Object.fromEntries(members);
  };
  const result = copy(data, '', '', false) as Data;
  return masked.length > 0 ? { data: result, masked: [...new Set(masked)] } : { data, masked };
}

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
