// Names of what a look consists of, for fields and for the list of changes.
import { locales } from '../../../lib/core/locales';
import { type TextLanguage, type TextPlace, textPlaces } from '../../../lib/core/page-texts';

export const placeNames: Record<TextPlace, { label: string; help: string }> = {
  summary: { label: 'Below the order', help: 'Beside the form, under what is bought.' },
  form: { label: 'Below the form', help: 'Under the ways to pay and the pay button.' },
  receipt: { label: 'On the receipt', help: 'After a payment that went through.' },
};

/** The languages of lines, the one that serves for all others first. */
export const languageNames: readonly (readonly [code: TextLanguage, name: string])[] = [
  ['default', 'Every other language'],
  ...locales.map(({ code, name }) => [code, name] as const),
];

const texts = languageNames.flatMap(([code, name]) =>
  textPlaces.map((place) => [`texts.${code}.${place}`, `${placeNames[place].label}, ${name}`] as const),
);

export const brandingLabels: Record<string, string> = {
  logo: 'Logo',
  accent: 'Accent',
  radius: 'Corners',
  ...Object.fromEntries(texts),
  privacyUrl: 'Privacy',
  termsUrl: 'Terms',
  supportEmail: 'Support e-mail',
};
