/**
 * The states, provinces, territories and prefectures of the five countries that require one (contract, Resources, rule
 * 1), in all 21 languages. The names are Unicode CLDR data with corrections, written by scripts/make-subdivisions.ts.
 */
import { type CountryWithStates, hasStates, type Place, sortPlaces } from './countries.ts';
import type { LocaleCode } from './locales.ts';
import names from './subdivisions.json' with { type: 'json' };

const table: Record<LocaleCode, Record<CountryWithStates, string>> = names;

// Codes that ISO 3166-2 has replaced but Indian software and many shops still send.
const former: Record<string, string> = {
  'IN-CT': 'CG',
  'IN-OR': 'OD',
  'IN-TG': 'TS',
  'IN-UT': 'UK',
  'IN-DN': 'DH',
  'IN-DD': 'DH',
};

const lists = new Map<string, readonly Place[]>();

/**
 * The states of a country, by code without the country ('CA', '13', 'NSW'); empty for countries without states. Sorted
 * by name in the language, except Japan's prefectures in languages with Chinese characters: those are listed from north
 * to south, as is usual there.
 */
export function statesOf(country: string, locale: LocaleCode): readonly Place[] {
  if (!hasStates(country)) return [];
  const key = `${locale} ${country}`;
  const made = lists.get(key);
  if (made) return made;
  const places = table[locale][country].split('|').map((pair): Place => {
    const [code = '', name = ''] = pair.split('=');
    return { code, name };
  });
  const northToSouth = country === 'JP' && ['ja', 'zh', 'zh-TW'].includes(locale);
  const list = northToSouth ? places : sortPlaces(places, locale);
  lists.set(key, list);
  return list;
}

/** Letters and digits only, without accents: 'Hawai‘i' equals 'hawaii'. */
function plain(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}

/**
 * The state code for a request's or autofill's text: by code ('ca', 'US-CA', also a former code) or by name in English
 * or in `locale`. Null if none matches; the contract accepts any text.
 */
export function findState(country: string, text: string, locale: LocaleCode = 'en'): string | null {
  if (!hasStates(country)) return null;
  const upper = text.trim().toUpperCase();
  const code = upper.startsWith(`${country}-`) ? upper.slice(country.length + 1) : upper;
  const current = former[`${country}-${code}`] ?? code;
  const states = statesOf(country, 'en');
  if (states.some((state) => state.code === current)) return current;
  const name = plain(text);
  if (name === '') return null;
  const named = [...states, ...statesOf(country, locale)].find((state) => plain(state.name) === name);
  return named?.code ?? null;
}
