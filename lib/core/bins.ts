/**
 * Finds the country in which a card was issued by the first digits of its number. Card networks license such tables to
 * members only: bins.json contains the sandbox's cards, and a deployment provides its own list.
 */
import bins from './bins.json' with { type: 'json' };
import { isCountry } from './countries.ts';

/** ISO 3166-1 alpha-2 codes by prefixes of 4 to 8 digits. */
export type BinCountries = ReadonlyMap<string, string>;

const ofSandbox: BinCountries = new Map(Object.entries(bins));
const prefixMost = 8;
const prefixLeast = 4;

/** The country of a card number or of its first digits by the longest prefix; `own` has precedence over equal ones. */
export function countryOfBin(digits: string, own?: BinCountries | null): string | null {
  for (let length = Math.min(prefixMost, digits.length); length >= prefixLeast; length--) {
    const prefix = digits.slice(0, length);
    const country = own?.get(prefix) ?? ofSandbox.get(prefix);
    if (country !== undefined) return country;
  }
  return null;
}

/**
 * Reads a deployment's list: one prefix per line, `457173,DK`, with or without quotes and blanks, as spreadsheets
 * export it. Empty lines, lines that begin with # and a heading without digits in its first column are skipped. Returns
 * the number of the first invalid line, or 0 for a list without a prefix.
 */
export function readBinCountries(text: string): BinCountries | { wrongLine: number } {
  const countries = new Map<string, string>();
  for (const [place, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const [prefix = '', country = ''] = line.split(/[,;\t]/).map((cell) => cell.replace(/["\s]/g, ''));
    const isHeading = place === 0 && !/\d/.test(prefix);
    if (line.trim() === '' || line.startsWith('#') || isHeading) continue;
    if (!/^\d{4,8}$/.test(prefix) || !isCountry(country)) return { wrongLine: place + 1 };
    countries.set(prefix, country);
  }
  return countries.size > 0 ? countries : { wrongLine: 0 };
}
