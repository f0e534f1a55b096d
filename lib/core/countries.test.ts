import { describe, expect, it } from 'vitest';
import { countriesWithStates, countryCodes, countryNames, hasStates, isCountry } from './countries.ts';
import { type LocaleCode, locales } from './locales.ts';

const countryName = (code: string, locale: LocaleCode) =>
  countryNames(locale).find((country) => country.code === code)?.name;

describe('countries', () => {
  it('are the 249 of ISO 3166-1, each once and in order', () => {
    expect(countryCodes).toHaveLength(249);
    expect([...new Set(countryCodes)].sort()).toEqual([...countryCodes]);
    for (const code of countryCodes) expect(code).toMatch(/^[A-Z]{2}$/);
    for (const region of ['EU', 'UK', 'XK', 'ZZ', 'us', '']) expect(isCountry(region)).toBe(false);
    expect(isCountry('RS')).toBe(true);
  });

  it('require a state in five of them only', () => {
    expect([...countriesWithStates].sort()).toEqual(['AU', 'CA', 'IN', 'JP', 'US']);
    expect(countryCodes.filter(hasStates)).toHaveLength(5);
  });

  it.each(locales.map((locale) => locale.code))('have a name of their own in %s', (code) => {
    const names = countryNames(code);
    expect(names).toHaveLength(249);
    for (const { code: country, name } of names) {
      expect(name).not.toBe(country);
      expect(name.trim()).toBe(name);
      expect(name.length).toBeGreaterThan(1);
    }
    expect(new Set(names.map((country) => country.name)).size).toBe(249);
  });

  it('are named and sorted as the language does', () => {
    expect(countryName('DE', 'sp')).toBe('Alemania');
    expect(countryName('JP', 'zh-TW')).toBe('日本');
    expect(countryName('FR', 'zh')).toBe('法国');
    expect(countryName('FR', 'zh-TW')).toBe('法國');
    const german = countryNames('de').map((country) => country.name);
    expect(german.indexOf('Österreich')).toBeGreaterThan(german.indexOf('Oman'));
    expect(german.indexOf('Österreich')).toBeLessThan(german.indexOf('Pakistan'));
    const czech = countryNames('cs').map((country) => country.name);
    expect(czech.indexOf('Chorvatsko')).toBeGreaterThan(czech.indexOf('Honduras'));
  });
});
