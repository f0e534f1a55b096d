/**
 * The country in which a card was issued, by the digits that its number begins with. Card networks give such tables to
 * their members and to nobody else, so that bins.json holds the sandbox's cards, and a deployment brings its own list.
 */
import bins from './bins.json';
import { isCountry } from './countries';

/** ISO 3166-1 alpha-2 codes by prefixes of 4 to 8 digits. */
export type BinCountries = ReadonlyMap<string, string>;

const ofSandbox: BinCountries = new Map(Object.entries(bins));
const prefixMost = 8;
const prefixLeast = 4;

/**
 * The country of a card's number, or of as many digits of it as are known. The longest prefix counts, and of two the one
 * in `own`. Null if unknown.
 */
export function countryOfBin(digits: string, own?: BinCountries | null): string | null {
  for (let length = Math.min(prefixMost, digits.length); length >= prefixLeast; length--) {
    const prefix = digits.slice(0, length);
    const country = own?.get(prefix) ?? ofSandbox.get(prefix);
    if (country !== undefined) return country;
  }
  return null;
}

/**
 * Reads a deployment's list: a line per prefix, `457173,DK`, with or without quotes and blanks, as spreadsheets write it.
 * Empty lines, lines that begin with # and a heading without digits in front are passed over. Gives the number of the
 * first line that is none of these, or 0 for a list without a prefix.
 */
export function readBinCountries(text: string): BinCountries | { wrongLine: number } {
  const found = new Map<string, string>();
  for (const [place, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const [prefix = '', country = ''] = line.split(/[,;\t]/).map((cell) => cell.replace(/["\s]/g, ''));
    const isHeading = place === 0 && !/\d/.test(prefix);
    if (line.trim() === '' || line.startsWith('#') || isHeading) continue;
    if (!/^\d{4,8}$/.test(prefix) || !isCountry(country)) return { wrongLine: place + 1 };
    found.set(prefix, country);
  }
  return found.size > 0 ? found : { wrongLine: 0 };
}
