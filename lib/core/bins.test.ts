import { describe, expect, it } from 'vitest';
import { countryOfBin } from './bins';
import bins from './bins.json';
import { isCountry } from './countries';
import { sandboxCards } from './sandbox-cards';

const table = `
4111111111111111  US
411111            US
4000000000001018  NL
4000008400001280  US
40000084          US
400000            NL
9792030000000000  TR
1234567890123456  -
411               -
`;

describe('countryOfBin', () => {
  it.each(table.trim().split('\n'))('%s', (line) => {
    const [digits = '', country] = line.split(/\s+/);
    expect(countryOfBin(digits) ?? '-').toBe(country);
  });

  it('knows every sandbox card', () => {
    expect(sandboxCards.filter((card) => countryOfBin(card.number) === null)).toEqual([]);
  });

  it('holds prefixes and countries only', () => {
    for (const [prefix, country] of Object.entries(bins)) {
      expect(prefix).toMatch(/^\d{4,8}$/);
      expect([country, isCountry(country)]).toEqual([country, true]);
    }
  });
});
