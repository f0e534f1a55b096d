/** A merchant's own texts on the payment page, at few places, so that a merchant cannot create a misleading page. */
import type { LocaleCode } from './locales.ts';

/**
 * The places of a text in the order of the page: the heading of the form, the words of its button before the amount, a
 * line below the order summary, one below the payment methods, one on the receipt, the name of the link to the terms, and
 * a line in the footer of every page.
 */
export const textPlaces = ['title', 'button', 'summary', 'form', 'receipt', 'terms', 'footer'] as const;

export type TextPlace = (typeof textPlaces)[number];

/** Maximum number of characters of each text. The button's still fits on a phone, with its amount. */
export const textMax: Readonly<Record<TextPlace, number>> = {
  title: 60,
  button: 24,
  summary: 160,
  form: 160,
  receipt: 160,
  terms: 40,
  footer: 160,
};

/** `default` applies to every language without its own text at a place. */
export type TextLanguage = LocaleCode | 'default';

/** The texts by language and place. */
export type PageTexts = { [language in TextLanguage]?: PlacedTexts };

/** The texts of one language. */
export type PlacedTexts = { [place in TextPlace]?: string };

/** The texts that apply to an operation: those of the form speak of paying, which payouts and transfers do not do. */
export function textsOfOperation(texts: PlacedTexts, operation: string): PlacedTexts {
  const pays = operation !== 'credit' && operation !== 'transfer';
  return pays ? texts : { ...texts, title: undefined, button: undefined };
}

/** The texts of a page in this language; an empty text counts as none. */
export function textsFor(texts: PageTexts, language: LocaleCode): PlacedTexts {
  return Object.fromEntries(textPlaces.map((place) => [place, texts[language]?.[place] || texts.default?.[place]]));
}
