import { describe, expect, it } from 'vitest';
import { countriesWithStates } from './countries.ts';
import { type LocaleCode, locales } from './locales.ts';
import { findState, statesOf } from './subdivisions.ts';

const counts = { US: 59, CA: 13, JP: 47, AU: 8, IN: 36 };

// The letters that a language's names may contain; fails if a name in another script was added.
const scripts: Record<string, RegExp> = {
  ar: /^[\p{Script=Arabic} ()]+$/u,
  bg: /^[\p{Script=Cyrillic} ().-]+$/u,
  kk: /^[\p{Script=Cyrillic} ().,-]+$/u,
  ru: /^[\p{Script=Cyrillic} ().-]+$/u,
  ja: /^[\p{Script=Han}\p{Script=Katakana}ー・（）およびの]+$/u,
  zh: /^[\p{Script=Han}（）-]+$/u,
  'zh-TW': /^[\p{Script=Han}（）-]+$/u,
};
const latin = /^[\p{Script=Latin}\p{M} ().,'’-]+$/u;

// Characters from these names that exist in only one of the two Chinese scripts.
const traditional = /[縣岡島廣愛長靜縄鳥兒紐華達賓維羅蘭馬內爾聖衛領區麥邁]/;
const simplified = /[县冈岛广爱长静绳鸟儿纽华达宾维罗兰马内尔圣卫领区麦]/;

const stateName = (country: string, code: string, locale: LocaleCode) =>
  statesOf(country, locale).find((state) => state.code === code)?.name;

describe('states', () => {
  it.each(locales.map((locale) => locale.code))('are complete and plausible in %s', (locale) => {
    for (const country of countriesWithStates) {
      const states = statesOf(country, locale);
      expect(states).toHaveLength(counts[country]);
      expect(states.map((state) => state.code).sort()).toEqual(
        statesOf(country, 'en')
          .map((state) => state.code)
          .sort(),
      );
      expect(new Set(states.map((state) => state.name)).size).toBe(states.length);
      for (const { code, name } of states) {
        expect(`${country}-${code} ${name}`).toMatch(/ .{2,45}$/u);
        expect(name).toBe(name.trim().normalize('NFC'));
        expect(name).toMatch(scripts[locale] ?? latin);
        expect(name).not.toMatch(/pr[eéä]fe[ck]|[āēīōū²]/i);
      }
    }
  });

  it('keep the two Chinese scripts apart', () => {
    for (const country of countriesWithStates) {
      for (const state of statesOf(country, 'zh')) expect(state.name).not.toMatch(traditional);
      for (const state of statesOf(country, 'zh-TW')) expect(state.name).not.toMatch(simplified);
    }
  });

  it('are translated, not copied', () => {
    for (const locale of locales.filter((one) => one.code !== 'en')) {
      const translated = countriesWithStates.flatMap((country) =>
        statesOf(country, 'en').filter((state) => stateName(country, state.code, locale.code) !== state.name),
      );
      expect([locale.code, translated.length >= 8]).toEqual([locale.code, true]);
    }
    expect(stateName('US', 'CA', 'de')).toBe('Kalifornien');
    expect(stateName('US', 'NY', 'ru')).toBe('Нью-Йорк');
    expect(stateName('JP', '13', 'ja')).toBe('東京都');
    expect(stateName('CA', 'BC', 'sp')).toBe('Columbia Británica');
    expect(stateName('AU', 'WA', 'kk')).toBe('Батыс Аустралия');
  });

  it('have the order that readers expect', () => {
    expect(statesOf('JP', 'ja')[0]?.code).toBe('01');
    expect(statesOf('JP', 'en')[0]?.name).toBe('Aichi');
    expect(statesOf('US', 'en')[0]?.name).toBe('Alabama');
    expect(statesOf('US', 'sp').map((state) => state.code)).not.toEqual(
      statesOf('US', 'en').map((state) => state.code),
    );
  });

  it('exist in five countries', () => {
    expect(statesOf('DE', 'en')).toEqual([]);
    expect(findState('DE', 'BY')).toBeNull();
  });

  it.each([
    ['US', 'ca', 'en', 'CA'],
    ['US', 'US-CA', 'en', 'CA'],
    ['US', 'California', 'en', 'CA'],
    ['US', ' new  york ', 'en', 'NY'],
    ['US', 'Kalifornien', 'de', 'CA'],
    ['US', 'Kalifornien', 'en', null],
    ['CA', 'Québec', 'en', 'QC'],
    ['JP', '東京都', 'ja', '13'],
    ['JP', 'JP-13', 'en', '13'],
    ['IN', 'OR', 'en', 'OD'],
    ['IN', 'TG', 'en', 'TS'],
    ['US', 'ZZ', 'en', null],
    ['US', '', 'en', null],
    ['US', '…', 'en', null],
  ] as const)('%s %s in %s is %s', (country, text, locale, code) => {
    expect(findState(country, text, locale)).toBe(code);
  });
});
