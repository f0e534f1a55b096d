/** A merchant's own texts on the payment page, at few places, so that a merchant cannot create a misleading page. */
import type { LocaleCode } from './locales.ts';

/** The places of a line: below the order summary, below the payment methods, and on the receipt. */
export const textPlaces = ['summary', 'form', 'receipt'] as const;

export type TextPlace = (typeof textPlaces)[number];

/** Maximum number of characters of a line. */
export const textMax = 160;

/** `default` applies to every language without its own line at a place. */
export type TextLanguage = LocaleCode | 'default';

/** The lines by language and place. */
export type PageTexts = { [language in TextLanguage]?: PlacedTexts };

/** The lines of one language. */
export type PlacedTexts = { [place in TextPlace]?: string };

/** The lines of a page in this language; an empty line counts as none. */
export function textsFor(texts: PageTexts, language: LocaleCode): PlacedTexts {
  return Object.fromEntries(textPlaces.map((place) => [place, texts[language]?.[place] || texts.default?.[place]]));
}
