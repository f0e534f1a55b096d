/**
 * Telephone numbers of a country, read as people and programs write them. The rules come from a library that is too
 * large for a browser, so this is for servers only.
 */
import { type CountryCode, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { digitsOf } from '../core/cards';

/**
 * The number in the international form (`+2290197000000`), or null. With a country (alpha-2) it must belong to it and
 * may be written without the country's code; without one it must begin with a code, and its plus sign may be missing.
 */
export function readPhone(text: string, country?: string): string | null {
  const tidy = digitsOf(text)
    .replace(/[()./]/g, '')
    .replace(/^00/, '+');
  if (!/^\+?[0-9]{5,15}$/.test(tidy)) return null;
  if (country === undefined) return read(tidy.startsWith('+') ? tidy : `+${tidy}`);
  return readOf(tidy, country as CountryCode);
}

function read(text: string, country?: CountryCode): string | null {
  const found = parsePhoneNumberFromString(text, country);
  return found?.isPossible() ? found.number : null;
}

function readOf(text: string, country: CountryCode): string | null {
  const code = `+${getCountryCallingCode(country)}`;
  const whole = text.startsWith(code.slice(1)) ? read(`+${text}`) : null;
  const found = whole ?? read(renumbered(text, country), country);
  return found?.startsWith(code) ? found : null;
}

// Benin put 01 before its numbers of eight digits at the end of 2024; many address books still hold the short ones.
function renumbered(text: string, country: CountryCode): string {
  const short = country === 'BJ' ? /^(?:\+?229)?([0-9]{8})$/.exec(text) : null;
  return short ? `+22901${short[1]}` : text;
}
