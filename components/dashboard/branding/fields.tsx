'use client';
// The branding settings as data. Everything else is fixed, so that no page can become unreadable.
import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { contrast, parseHex } from '../../../lib/core/colour';
import { type TextLanguage, textMax, textPlaces } from '../../../lib/core/page-texts';
import type { BrandingForm } from '../../../lib/dashboard/branding/contract';
import { accentsOf } from '../../pay/theme';
import { FormRow, type Section, Select, TextInput } from '../ui';
import { languageNames, placeNames } from './labels';

/** Florin's default accent colour. */
const ownAccent = '#24409c';

const corners = [
  { value: '0', label: 'Square' },
  { value: '4', label: '4 px' },
  { value: '', label: '8 px' },
  { value: '14', label: '14 px' },
];

type Options = { logo: ReactNode; radius: string; language: TextLanguage; onLanguage: (code: TextLanguage) => void };

export function brandingSections({ logo, radius, ...texts }: Options): Section<BrandingForm>[] {
  const isListed = corners.some(({ value }) => value === radius);
  return [
    {
      id: 'brand',
      title: 'Brand',
      stacked: true,
      fields: [
        {
          name: 'logo',
          label: 'Logo',
          kind: 'own',
          field: true,
          help: 'PNG, JPEG or WebP up to 200 KB. Displayed at 40 px height; use 80 px for sharp displays.',
          control: logo,
        },
        {
          name: 'accent',
          label: 'Accent',
          kind: 'own',
          field: true,
          help: ({ accent }) => <AccentFacts accent={accent} />,
          control: <Accent />,
        },
        {
          name: 'radius',
          label: 'Corners',
          kind: 'radio',
          wide: true,
          help: 'For buttons, fields and square logos.',
          options: isListed ? corners : [...corners, { value: radius, label: `${radius} px` }],
          show: (value) => (value === '' ? 'not set' : String(value)),
        },
      ],
    },
    {
      id: 'texts',
      title: 'Texts',
      about: 'Your own texts, without formatting. All other texts are Florin’s, in all 21 languages.',
      children: <Texts {...texts} />,
    },
    {
      id: 'links',
      title: 'Links',
      about: 'In the footer of the page. Empty links are hidden.',
      stacked: true,
      fields: [
        { name: 'privacyUrl', label: 'Privacy', inputMode: 'url' },
        { name: 'termsUrl', label: 'Terms', inputMode: 'url' },
        { name: 'supportEmail', label: 'Support email', inputMode: 'email' },
      ],
    },
  ];
}

function Accent() {
  const { register, setValue } = useFormContext<BrandingForm>();
  const accent = useWatch<BrandingForm, 'accent'>({ name: 'accent' });
  return (
    <span className="flex items-center gap-2">
      <input
        type="color"
        aria-label="Choose the accent"
        value={parseHex(accent) ? accent : ownAccent}
        onChange={({ target }) => setValue('accent', target.value, { shouldDirty: true, shouldValidate: true })}
        className="size-8 shrink-0 cursor-pointer rounded-control border border-solid border-field bg-raised p-1 phone:size-11"
      />
      <TextInput mono size="short" placeholder="Default colour" {...register('accent')} />
    </span>
  );
}

/** The contrast of the accent, and how the page handles it. */
function AccentFacts({ accent }: { accent: string }) {
  const derived = accentsOf(accent);
  const colour = parseHex(accent);
  const on = derived && parseHex(derived.light['on-accent']);
  if (!derived || !colour || !on) return 'As #rrggbb. Empty uses Florin’s default colour.';
  const ratio = contrast(on, colour).toFixed(1);
  const isLight = derived.light['on-accent'] === '#ffffff';
  const text = derived.light['accent-text'];
  return (
    <>
      Button text in {isLight ? 'white' : 'ink'} has a contrast of <span className="figures">{ratio} : 1</span>.{' '}
      {text === accent.toLowerCase()
        ? 'Links use the accent.'
        : `Links use ${text}, because the accent has too little contrast on white.`}
    </>
  );
}

type TextsProps = { language: TextLanguage; onLanguage: (code: TextLanguage) => void };

function Texts({ language, onLanguage }: TextsProps) {
  const { register } = useFormContext<BrandingForm>();
  const texts = useWatch<BrandingForm, 'texts'>({ name: 'texts' });
  const written = (code: TextLanguage) => Object.values(texts?.[code] ?? {}).some(Boolean);
  return (
    <>
      <FormRow
        label="Language"
        name="language"
        changed={false}
        help="A language without its own text shows the fallback text."
        stacked
      >
        <Select
          size="full"
          value={language}
          onChange={({ target }) => onLanguage(target.value as TextLanguage)}
          options={languageNames.map(([code, name]) => ({
            value: code,
            label: written(code) ? `${name} (written)` : name,
          }))}
        />
      </FormRow>
      {textPlaces.map((place) => (
        <FormRow
          key={`${language}-${place}`}
          label={placeNames[place].label}
          name={`texts.${language}.${place}`}
          help={placeNames[place].help}
          stacked
        >
          <TextInput
            dir="auto"
            spellCheck
            maxLength={textMax}
            unit={
              <span className="figures text-xs">
                {texts?.[language]?.[place]?.length ?? 0} of {textMax}
              </span>
            }
            className="pr-20!"
            {...register(`texts.${language}.${place}`)}
          />
        </FormRow>
      ))}
    </>
  );
}
