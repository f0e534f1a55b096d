/**
 * Card numbers in texts for people. Payers and shops write them where they do not belong; there they are masked before
 * they are stored or sent on (PCI DSS 3.5.1).
 */
import { brands, digitsOf, luhn } from './cards.ts';

const digit = '[0-9٠-٩۰-۹０-９]';
// At most three characters between groups, as in `4111 - 1111`.
const groups = new RegExp(`${digit}+(?:[\\s._/\\-\\u2010-\\u2015\\u2212\\uff0d]{1,3}${digit}+)*`, 'g');
const group = new RegExp(`${digit}+`, 'g');
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
  const parts = [...run.matchAll(group)].map(({ 0: digits, index }) => ({
    digits: digitsOf(digits),
    index,
    end: index + digits.length,
  }));
  let masked = '';
  let from = 0;
  for (let first = 0; first < parts.length; first += 1) {
    let number = '';
    for (let last = first; last < parts.length && number.length <= 19; last += 1) {
      number += parts[last]?.digits;
      if (!isCardNumber(number)) continue;
      masked += `${run.slice(from, parts[first]?.index)}${number.slice(0, 6)}${'*'.repeat(number.length - 10)}${number.slice(-4)}`;
      from = parts[last]?.end ?? run.length;
      first = last;
      break;
    }
  }
  return masked + run.slice(from);
}

function isCardNumber(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !luhn(digits)) return false;
  return brands.some(
    ({ ranges, lengths }) =>
      lengths.includes(digits.length) &&
      ranges.some(([low, high]) => digits.slice(0, low.length) >= low && digits.slice(0, low.length) <= high),
  );
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
