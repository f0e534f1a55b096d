import { describe, expect, it } from 'vitest';
import bins from './bins.json' with { type: 'json' };
import { countryOfBin, readBinCountries } from './bins.ts';
import { isCountry } from './countries.ts';
import { sandboxCards } from './sandbox-cards.ts';

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

  it("prefers the deployment's list, and applies the longest prefix of both", () => {
    const own = new Map([
      ['411111', 'FR'],
      ['4000', 'ES'],
      ['40000084', 'PT'],
    ]);
    const numbers = ['4111111111111111', '4000000000001018', '4000008400001280', '4001000000000000'];
    expect(numbers.map((digits) => countryOfBin(digits, own))).toEqual(['FR', 'NL', 'PT', null]);
    expect(countryOfBin('4000990000000000', own)).toBe('ES');
  });

  it('knows every sandbox card', () => {
    expect(sandboxCards.filter((card) => countryOfBin(card.number) === null)).toEqual([]);
  });

  it('contains prefixes and countries only', () => {
    for (const [prefix, country] of Object.entries(bins)) {
      expect(prefix).toMatch(/^\d{4,8}$/);
      expect([country, isCountry(country)]).toEqual([country, true]);
    }
  });
});

describe('readBinCountries', () => {
  it('reads exports of spreadsheets', () => {
    const read = readBinCountries(
      '\uFEFFbin,country\r\n457173,DK\r\n# a note\r\n\r\n"40000084";"US"\r\n 5100 , NL , Bank\r\n',
    );
    expect([...(read as Map<string, string>)]).toEqual([
      ['457173', 'DK'],
      ['40000084', 'US'],
      ['5100', 'NL'],
    ]);
  });

  // the list, its lines separated by / | the number of the invalid line
  const wrong = `
457173,DK/457173        | 2
457173,DK/45717,XX      | 2
457,DK                  | 1
457173000,DK            | 1
457173,dk               | 1
bin,country/x,DK        | 2
                        | 0
bin,country             | 0
`;
  it.each(wrong.trim().split('\n'))('rejects %s', (line) => {
    const [list = '', place] = line.split('|').map((cell) => cell.trim());
    expect(readBinCountries(list.replaceAll('/', '\n'))).toEqual({ wrongLine: Number(place) });
  });
});
