// Labels of the branding settings, for fields and the list of changes.
import { locales } from '../../../lib/core/locales';
import { type TextLanguage, type TextPlace, textPlaces } from '../../../lib/core/page-texts';

export const placeNames: Record<TextPlace, { label: string; help: string }> = {
  summary: { label: 'Below the order', help: 'Next to the form, below the order.' },
  form: { label: 'Below the form', help: 'Below the payment methods and the pay button.' },
  receipt: { label: 'On the receipt', help: 'After a successful payment.' },
};

/** The languages of texts, the fallback first. */
export const languageNames: readonly (readonly [code: TextLanguage, name: string])[] = [
  ['default', 'All other languages'],
  ...locales.map(({ code, name }) => [code, name] as const),
];

const texts = languageNames.flatMap(([code, name]) =>
  textPlaces.map((place) => [`texts.${code}.${place}`, `${placeNames[place].label}, ${name}`] as const),
);

/** The texts of the list of changes for the payer's texts. */
export const textWords = { labels: Object.fromEntries(texts) };
