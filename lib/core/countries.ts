/**
 * The countries of ISO 3166-1 and their names. The codes are listed here because Intl also has regions that are not
 * countries. The names are Intl's (Unicode CLDR); for servers only, because a browser's Intl may lack a language.
 */
import { type LocaleCode, localeOf } from './locales.ts';

/** All 249 officially assigned alpha-2 codes of ISO 3166-1, in alphabetical order. */
export const countryCodes: readonly string[] = (
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP ' +
  'KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT ' +
  'MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW ' +
  'SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ ' +
  'UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW'
).split(' ');

const known = new Set(countryCodes);

/** The countries whose state is collected from the payer; elsewhere it is hidden and not validated (contract, rule 1). */
export const countriesWithStates = ['US', 'CA', 'JP', 'AU', 'IN'] as const;

export type CountryWithStates = (typeof countriesWithStates)[number];

/** True for an assigned alpha-2 code in upper case. */
export function isCountry(code: string): boolean {
  return known.has(code);
}

/** True if the payer must enter a state for this country. */
export function hasStates(country: string): country is CountryWithStates {
  return (countriesWithStates as readonly string[]).includes(country);
}

/** An entry of a list for the payer: the code for the wire and the displayed name. */
export type Place = { code: string; name: string };

/** Intl's tag for names and order. Chinese needs its script, not a region. */
function tagOf(locale: LocaleCode): string {
  return locale === 'zh' ? 'zh-Hans' : localeOf(locale).bcp47;
}

/** Sorts places by name in the language's alphabetical order. */
export function sortPlaces(places: readonly Place[], locale: LocaleCode): Place[] {
  const { compare } = new Intl.Collator(tagOf(locale), { sensitivity: 'base', ignorePunctuation: true });
  return [...places].sort((a, b) => compare(a.name, b.name));
}

const lists = new Map<LocaleCode, readonly Place[]>();

/** Every country with its name in this language, in alphabetical order. Cached per language. */
export function countryNames(locale: LocaleCode): readonly Place[] {
  const made = lists.get(locale);
  if (made) return made;
  const names = new Intl.DisplayNames(tagOf(locale), { type: 'region' });
  const list = sortPlaces(
    countryCodes.map((code) => ({ code, name: names.of(code) ?? code })),
    locale,
  );
  lists.set(locale, list);
  return list;
}
