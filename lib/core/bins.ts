/**
 * The country in which a card was issued, by the digits that its number begins with. bins.json is data for the operator
 * to extend from the card networks' own lists: a prefix of 4 to 8 digits, and the country's ISO 3166-1 alpha-2 code. It
 * comes with the sandbox's cards.
 */
import bins from './bins.json';

const countries = new Map(Object.entries(bins));
const prefixMost = 8;
const prefixLeast = 4;

/** The country of a card's number, or of as many digits of it as are known; the longest prefix counts. Null if unknown. */
export function countryOfBin(digits: string): string | null {
  for (let length = Math.min(prefixMost, digits.length); length >= prefixLeast; length--) {
    const country = countries.get(digits.slice(0, length));
    if (country !== undefined) return country;
  }
  return null;
}
