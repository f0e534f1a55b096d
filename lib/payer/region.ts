/**
 * The region of a payer's page. With the language it decides how amounts and dates are written and which words are used:
 * Spanish of Mexico, German of Switzerland. It never decides which language the page is in.
 */
import { isCountry } from '../core/countries.ts';
import { findLocale, type LocaleCode, localeOf, localeOfTag } from '../core/locales.ts';

/** CLDR has English for these countries too, although it is a second language there. */
const englishIsSecond = new Set(
  'AE AQ AT BE CH CZ DE DK EE ES FI FR GE HU ID IL IT JP LT LV NL NO PL PT RO SE SI SK UA'.split(' '),
);

/** Where a region may come from, in this order. */
export type RegionSources = {
  /** Language tags that name this page: of its address and of its session. */
  tags?: readonly (string | null | undefined)[];
  acceptLanguage?: string | null;
  /** The payer's country, as alpha-2 code. */
  country?: string | null;
};

/** The language that a page's address names: a code of the contract, else a language tag such as `es-MX`. */
export function localeNamed(text: string): LocaleCode | null {
  return findLocale(text)?.code ?? localeOfTag(text);
}

/** The region of a language tag if its language is this one; null for a tag without a known region. */
export function regionOfTag(tag: string, language: LocaleCode): string | null {
  // The contract's `zh-TW` is a language.
  if (findLocale(tag) || localeOfTag(tag) !== language) return null;
  const region = parsedRegion(tag);
  return region !== undefined && (region === '419' || isCountry(region)) ? region : null;
}

function parsedRegion(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag.trim().replaceAll('_', '-')).region;
  } catch {
    return undefined;
  }
}

/** The tag of a language in a region: 'es-MX', 'zh-Hant-HK'. Chinese needs its script where the region implies another. */
export function tagOf(language: LocaleCode, region: string): string {
  if (language === 'zh' && region !== 'CN') return `zh-Hans-${region}`;
  if (language === 'zh-TW' && region !== 'TW') return `zh-Hant-${region}`;
  return `${localeOf(language).bcp47.slice(0, 2)}-${region}`;
}

/** Whether a country uses a language: it is its first one, or CLDR has the language's forms for it. */
function usesLanguage(country: string, language: LocaleCode): boolean {
  if (language === 'en' && englishIsSecond.has(country)) return false;
  const tag = tagOf(language, country);
  const [first, own] = [`und-${country}`, tag].map((each) => new Intl.Locale(each).maximize());
  return first?.toString() === own?.toString() || Intl.NumberFormat(tag).resolvedOptions().locale === tag;
}

function regionOfBrowser(acceptLanguage: string, language: LocaleCode): string | null {
  const regions = acceptLanguage.split(',', 50).map((entry) => {
    const [tag = '', ...parameters] = entry.split(';');
    const weight = /^\s*q\s*=\s*([\d.]+)/i.exec(parameters.join(';'))?.[1];
    return { region: regionOfTag(tag, language), weight: weight === undefined ? 1 : Number(weight) };
  });
  const [first] = regions.filter(({ region, weight }) => region && weight > 0).sort((a, b) => b.weight - a.weight);
  return first?.region ?? null;
}

/** The region of a page in this language; null if nothing names one. */
export function regionOf(language: LocaleCode, { tags = [], acceptLanguage, country }: RegionSources): string | null {
  for (const tag of tags) {
    const region = tag ? regionOfTag(tag, language) : null;
    if (region) return region;
  }
  const code = country?.trim().toUpperCase() ?? '';
  return (
    regionOfBrowser(acceptLanguage ?? '', language) ?? (isCountry(code) && usesLanguage(code, language) ? code : null)
  );
}
