/** Parses phone numbers of a country in common notations. For servers only: the library is too large for a browser. */
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { normalizeField } from './fields.ts';

/**
 * The number in international format (`+2290197000000`), or null. With a country (alpha-2) it must belong to it and may
 * omit the country code; without one it must begin with a country code, with or without a plus sign.
 */
export function readPhone(text: string, country?: string): string | null {
  const digits = normalizeField('phone', text);
  if (!/^\+?[0-9]{5,15}$/.test(digits)) return null;
  if (country === undefined) return read(digits.startsWith('+') ? digits : `+${digits}`);
  return readOf(digits, country as CountryCode);
}

function read(text: string, country?: CountryCode): string | null {
  const parsed = parsePhoneNumberFromString(text, country);
  return parsed?.isPossible() ? parsed.number : null;
}

function readOf(text: string, country: CountryCode): string | null {
  const code = `+${getCountryCallingCode(country)}`;
  const whole = text.startsWith(code.slice(1)) ? read(`+${text}`) : null;
  const parsed = whole ?? read(renumbered(text, country), country);
  return parsed?.startsWith(code) ? parsed : null;
}

// Benin added 01 to its eight-digit numbers at the end of 2024; many address books still contain the short ones.
function renumbered(text: string, country: CountryCode): string {
  const short = country === 'BJ' ? /^(?:\+?229)?([0-9]{8})$/.exec(text) : null;
  return short ? `+22901${short[1]}` : text;
}
