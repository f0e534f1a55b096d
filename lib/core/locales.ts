/**
 * The 21 languages of the contract (Checkout `billing_address.language`, S2S `payer_language`) and their selection.
 * Codes are the contract's, so Spanish is `sp`; `bcp47` is the tag for browsers and Intl.
 */

const rows = [
  ['en', 'English'],
  ['sp', 'Español', 'es'],
  ['ar', 'العربية'],
  ['az', 'Azərbaycanca'],
  ['fr', 'Français'],
  ['nb', 'Norsk bokmål'],
  ['zh', '简体中文'],
  ['zh-TW', '繁體中文'],
  ['kk', 'Қазақша'],
  ['de', 'Deutsch'],
  ['it', 'Italiano'],
  ['hr', 'Hrvatski'],
  ['cs', 'Čeština'],
  ['hu', 'Magyar'],
  ['pl', 'Polski'],
  ['pt', 'Português'],
  ['ro', 'Română'],
  ['ja', '日本語'],
  ['nl', 'Nederlands'],
  ['bg', 'Български'],
  ['ru', 'Русский'],
] as const;

export type LocaleCode = (typeof rows)[number][0];

export type Locale = {
  /** The contract's code and the name of the messages file: 'sp'. */
  code: LocaleCode;
  /** For the `lang` attribute: 'es'. */
  bcp47: string;
  /** For Intl formatters: Arabic uses Latin digits, as the payer compares amounts with a card and a statement. */
  intl: string;
  /** The language's name for itself: 'Español'. */
  name: string;
  dir: 'ltr' | 'rtl';
};

/** All languages, in the contract's order. */
export const locales: readonly Locale[] = rows.map(([code, name, bcp47 = code]) => ({
  code,
  bcp47,
  intl: code === 'ar' ? 'ar-u-nu-latn' : bcp47,
  name,
  dir: code === 'ar' ? 'rtl' : 'ltr',
}));

const byCode = new Map(locales.map((locale) => [locale.code.toLowerCase(), locale]));

/** The locale of a contract code, in any case; null if the code is not one of the 21. */
export function findLocale(code: string): Locale | null {
  return byCode.get(code.trim().toLowerCase()) ?? null;
}

/** The locale of one of the 21 codes. */
export function localeOf(code: LocaleCode): Locale {
  return byCode.get(code.toLowerCase()) as Locale;
}

/** The contract's code for a browser's BCP 47 tag, or null: 'es-MX' is sp, 'zh-Hant-HK' is zh-TW, 'no' is nb. */
export function localeOfTag(tag: string): LocaleCode | null {
  const [language = '', ...rest] = tag.trim().toLowerCase().split(/[-_]/);
  if (language === 'zh') {
    if (rest.includes('hans')) return 'zh';
    return rest.some((part) => ['hant', 'tw', 'hk', 'mo'].includes(part)) ? 'zh-TW' : 'zh';
  }
  if (language === 'no' || language === 'nn') return 'nb';
  return locales.find((locale) => locale.bcp47 === language)?.code ?? null;
}

/** The browser's most preferred supported language by the weights of RFC 9110; null if none is supported. */
function fromBrowser(acceptLanguage: string): LocaleCode | null {
  const preferred = acceptLanguage
    .split(',', 50)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';');
      const weight = parameters.map((parameter) => /^\s*q\s*=\s*([\d.]+)\s*$/i.exec(parameter)?.[1]).find(Boolean);
      return { code: localeOfTag(tag), weight: weight === undefined ? 1 : Number(weight) };
    })
    .filter((entry) => entry.code !== null && entry.weight > 0)
    .sort((a, b) => b.weight - a.weight);
  return preferred[0]?.code ?? null;
}

/**
 * The language of a hosted page (contract, Resources, rule 3). `requested` is the request's language, in any case: an
 * unknown code selects English. If it is omitted or blank, the mapping's default applies, then the browser's
 * Accept-Language, then English.
 */
export function resolveLocale(
  requested: string | null | undefined,
  mappingDefault: string | null | undefined,
  acceptLanguage: string | null | undefined,
): LocaleCode {
  if (requested?.trim()) return findLocale(requested)?.code ?? 'en';
  const preset = mappingDefault ? findLocale(mappingDefault) : null;
  return preset?.code ?? fromBrowser(acceptLanguage ?? '') ?? 'en';
}
