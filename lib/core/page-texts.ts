/**
 * A merchant's own words on the payment page: one line at each of a few places, by language. Everything else on the page
 * is Florin's own in every language, so that no merchant can make a page that misleads.
 */
import type { LocaleCode } from './locales';

/** Where a line may stand: below the summary of the order, below the ways to pay, and on the receipt. */
export const textPlaces = ['summary', 'form', 'receipt'] as const;

export type TextPlace = (typeof textPlaces)[number];

/** The most characters of a line. */
export const textMax = 160;

/** `default` is for every language that has no line of its own at a place. */
export type TextLanguage = LocaleCode | 'default';

/** The lines by language and place. */
export type PageTexts = { [language in TextLanguage]?: PlacedTexts };

/** The lines of one language. */
export type PlacedTexts = { [place in TextPlace]?: string };

/** What a page in this language shows. */
export function textsFor(texts: PageTexts, language: LocaleCode): PlacedTexts {
  return { ...texts.default, ...texts[language] };
}
