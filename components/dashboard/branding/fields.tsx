'use client';
// The branding settings as data. Everything else is fixed, so that no page can become unreadable.
import type { ReactNode } from 'react';
import { useWatch } from 'react-hook-form';
import { locales } from '../../../lib/core/locales.ts';
import { pageFonts } from '../../../lib/core/page-fonts.ts';
import { type TextLanguage, type TextPlace, textMax, textPlaces } from '../../../lib/core/page-texts.ts';
import { type BrandingForm, themeBounds } from '../../../lib/dashboard/branding/contract.ts';
import { fieldsOf, optionsOf, type Section, Select } from '../ui/index.ts';
import { ColourFacts, ColourField } from './colours.tsx';

const corners = optionsOf(['0', 'Square'], ['4', '4 px'], ['', '8 px'], ['14', '14 px']);

type Options = {
  theme: boolean;
  logo: ReactNode;
  radius: string;
  language: TextLanguage;
  onLanguage: (code: TextLanguage) => void;
};

const fonts = optionsOf(['', 'System'], ...pageFonts.map(({ id, name }) => [id, name] as const));

const { text, radio, chips, select, own } = fieldsOf<BrandingForm>();

const themeSection: Section<BrandingForm> = {
  id: 'theme',
  title: 'Name and form IDs',
  stacked: true,
  fields: [
    text('name', 'Name', { maxLength: themeBounds.name, help: 'Only for the users of this dashboard.' }),
    chips('formIds', 'Form IDs', {
      mono: true,
      placeholder: 'autumn',
      help: 'Sessions with one of these values of `form_id` have this theme. Without any, no payment page uses it.',
    }),
  ],
};

export function brandingSections(options: Options): Section<BrandingForm>[] {
  const { theme, logo, radius, language, onLanguage } = options;
  const isListed = corners.some(({ value }) => value === radius);
  return [
    ...(theme ? [themeSection] : []),
    {
      id: 'brand',
      title: 'Brand',
      stacked: true,
      fields: [
        own('logo', 'Logo', {
          field: true,
          control: logo,
          help: 'PNG, JPEG or WebP up to 200 KB. Displayed at 40 px height; use 80 px for sharp displays.',
        }),
        own('accent', 'Accent', {
          field: true,
          control: <ColourField name="accent" label="Choose the accent" />,
          help: (values) => <ColourFacts of="accent" {...values} />,
        }),
        own('background', 'Background', {
          field: true,
          control: <ColourField name="background" label="Choose the background" />,
          help: (values) => <ColourFacts of="background" {...values} />,
        }),
        select('font', 'Font', {
          size: 'full',
          options: fonts,
          help: 'Fonts of the payer’s device: the page loads none. Arabic, Chinese and Japanese keep the system’s font.',
        }),
        radio('radius', 'Corners', {
          wide: true,
          help: 'For buttons, fields and square logos.',
          options: isListed ? corners : [...corners, { value: radius, label: `${radius} px` }],
          show: (value) => (value === '' ? 'not set' : String(value)),
        }),
      ],
    },
    {
      id: 'texts',
      title: 'Texts',
      stacked: true,
      about: 'Your own texts, without formatting. Florin’s texts replace empty ones, in all 21 languages.',
      fields: [
        // Only chooses what is shown: it is no value of the form.
        own('texts.language', 'Language', {
          field: true,
          control: <Languages language={language} onLanguage={onLanguage} />,
          help: 'A language without its own text shows the fallback text.',
        }),
        ...textPlaces.map((place) =>
          text(`texts.${language}.${place}`, placeNames[place].label, {
            help: placeNames[place].help,
            dir: 'auto',
            spellCheck: true,
            maxLength: textMax[place],
            className: 'pr-20!',
            unit: ({ texts }) => (
              <span className="figures text-xs">
                {texts?.[language]?.[place]?.length ?? 0} of {textMax[place]}
              </span>
            ),
          }),
        ),
      ],
    },
    {
      id: 'links',
      title: 'Links',
      stacked: true,
      about: 'In the footer of the page. Empty links are hidden.',
      fields: [
        text('privacyUrl', 'Privacy', { inputMode: 'url' }),
        text('termsUrl', 'Terms', { inputMode: 'url' }),
        text('supportEmail', 'Support email', { inputMode: 'email' }),
      ],
    },
  ];
}

function Languages({ language, onLanguage }: Pick<Options, 'language' | 'onLanguage'>) {
  const texts = useWatch<BrandingForm, 'texts'>({ name: 'texts' });
  const written = (code: TextLanguage) => Object.values(texts?.[code] ?? {}).some(Boolean);
  return (
    <Select
      size="full"
      value={language}
      onChange={({ target }) => onLanguage(target.value as TextLanguage)}
      options={languageNames.map(([code, name]) => ({
        value: code,
        label: written(code) ? `${name} (written)` : name,
      }))}
    />
  );
}

const placeNames: Record<TextPlace, { label: string; help: string }> = {
  title: { label: 'Title', help: 'The heading of the form, instead of “How would you like to pay?” or “Pay by card”.' },
  button: { label: 'Pay button', help: 'Before the amount: “Donate” makes “Donate · €84.50”. Not for payouts.' },
  summary: { label: 'Below the order', help: 'Next to the form, below the order.' },
  form: { label: 'Below the form', help: 'Below the payment methods and the pay button.' },
  receipt: { label: 'On the receipt', help: 'After a successful payment.' },
  terms: { label: 'Name of the terms', help: 'Instead of “Terms”, for the link below.' },
  footer: { label: 'Footer', help: 'At the end of every page: a company’s name, address or registration.' },
};

/** The languages of texts, the fallback first. */
const languageNames: readonly (readonly [code: TextLanguage, name: string])[] = [
  ['default', 'All other languages'],
  ...locales.map(({ code, name }) => [code, name] as const),
];

const texts = languageNames.flatMap(([code, name]) =>
  textPlaces.map((place) => [`texts.${code}.${place}`, `${placeNames[place].label}, ${name}`] as const),
);

/** The texts of the list of changes for the payer's texts. */
export const textWords = { labels: Object.fromEntries(texts) };
