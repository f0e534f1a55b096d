'use client';
// The branding settings as data. Everything else is fixed, so that no page can become unreadable.
import type { ReactNode } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { contrast, parseHex } from '../../../lib/core/colour.ts';
import { locales } from '../../../lib/core/locales.ts';
import { type TextLanguage, type TextPlace, textMax, textPlaces } from '../../../lib/core/page-texts.ts';
import type { BrandingForm } from '../../../lib/dashboard/branding/contract.ts';
import { accentsOf } from '../../pay/theme.ts';
import { Actions, fieldsOf, optionsOf, type Section, Select, TextInput } from '../ui/index.ts';
import { base64Of, useFileInput } from '../wallets/file-field.tsx';

const ownAccent = '#24409c';

const corners = optionsOf(['0', 'Square'], ['4', '4 px'], ['', '8 px'], ['14', '14 px']);

type Options = { logo: ReactNode; radius: string; language: TextLanguage; onLanguage: (code: TextLanguage) => void };

const { text, radio, own } = fieldsOf<BrandingForm>();

export function brandingSections({ logo, radius, language, onLanguage }: Options): Section<BrandingForm>[] {
  const isListed = corners.some(({ value }) => value === radius);
  return [
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
          control: <Accent />,
          help: ({ accent }) => <AccentFacts accent={accent} />,
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
      about: 'Your own texts, without formatting. All other texts are Florin’s, in all 21 languages.',
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
            maxLength: textMax,
            className: 'pr-20!',
            unit: ({ texts }) => (
              <span className="figures text-xs">
                {texts?.[language]?.[place]?.length ?? 0} of {textMax}
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
  summary: { label: 'Below the order', help: 'Next to the form, below the order.' },
  form: { label: 'Below the form', help: 'Below the payment methods and the pay button.' },
  receipt: { label: 'On the receipt', help: 'After a successful payment.' },
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

/** A chosen file that is not published yet. */
export type LogoDraft = Awaited<ReturnType<typeof readDraft>>;

type Props = {
  /** The current logo as text; '' for none. */
  shown: string;
  src: string | null;
  onChoose: (draft: LogoDraft) => void;
  onRemove: () => void;
};

export function LogoField({ shown, src, onChoose, onRemove }: Props) {
  const { input, choose } = useFileInput(
    'image/png,image/jpeg,image/webp',
    (file) => void readDraft(file).then(onChoose),
  );
  return (
    <div className="flex min-h-[58px] flex-wrap items-center gap-3 rounded-control border border-dashed border-field px-3 py-2.5">
      {input}
      {src ? (
        // biome-ignore lint/performance/noImgElement: a logo of any size, served as it is
        <img src={src} alt="" className="h-8 max-w-[120px] rounded-tag bg-[#fff] object-contain" />
      ) : null}
      <span className="min-w-0 flex-1 basis-[120px] break-words text-ink2">
        {shown || 'No logo: the merchant’s name is shown'}
      </span>
      <span className="flex gap-2">
        <Actions
          size="small"
          of={[
            shown !== '' && { text: 'Remove', onClick: onRemove },
            { text: shown ? 'Replace' : 'Choose file', icon: 'upload', onClick: choose },
          ]}
        />
      </span>
    </div>
  );
}

async function readDraft(chosen: File) {
  const { name, type } = chosen;
  const file = await base64Of(chosen);
  // The server refuses files that are not images, with a message.
  const { width, height } = await createImageBitmap(chosen).catch(() => ({ width: 0, height: 0 }));
  // A JPEG has no transparent parts.
  return { name, file, url: `data:${type};base64,${file}`, width, height, plate: type !== 'image/jpeg' };
}
