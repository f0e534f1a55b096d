'use client';
// The branding settings as data. Everything else is fixed, so that no page can become unreadable.
import { type ReactNode, useId, useRef } from 'react';
import { useFormContext, useWatch } from 'react-hook-form';
import { contrast, parseHex } from '../../../lib/core/colour.ts';
import { locales } from '../../../lib/core/locales.ts';
import { type TextLanguage, type TextPlace, textMax, textPlaces } from '../../../lib/core/page-texts.ts';
import type { BrandingForm } from '../../../lib/dashboard/branding/contract.ts';
import { accentsOf } from '../../pay/theme.ts';
import { useRow } from '../ui/form.tsx';
import { Button, FormRow, type Section, Select, TextInput } from '../ui/index.ts';

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

/** A chosen file that is not published yet. */
export type LogoDraft = {
  name: string;
  file: string;
  /** A data URL for the preview. */
  url: string;
  width: number;
  height: number;
  /** Whether it can have transparent parts; JPEG cannot. */
  plate: boolean;
};

type Props = {
  /** The current logo as text; '' for none. */
  shown: string;
  src: string | null;
  onChoose: (draft: LogoDraft) => void;
  onRemove: () => void;
};

export function LogoField({ shown, src, onChoose, onRemove }: Props) {
  const row = useRow();
  const own = useId();
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="flex min-h-[58px] flex-wrap items-center gap-3 rounded-control border border-dashed border-field px-3 py-2.5">
      <input
        ref={input}
        id={row?.id ?? own}
        type="file"
        accept="image/png,image/jpeg,image/webp"
        aria-describedby={row?.describedBy}
        aria-invalid={row?.invalid || undefined}
        tabIndex={-1}
        className="unseen"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) void readDraft(file).then(onChoose);
        }}
      />
      {src ? (
        // biome-ignore lint/performance/noImgElement: a logo of any size, served as it is
        <img src={src} alt="" className="h-8 max-w-[120px] rounded-tag bg-[#fff] object-contain" />
      ) : null}
      <span className="min-w-0 flex-1 basis-[120px] break-words text-ink2">
        {shown || 'No logo: the merchant’s name is shown'}
      </span>
      <span className="flex gap-2">
        {shown ? (
          <Button size="small" onClick={onRemove}>
            Remove
          </Button>
        ) : null}
        <Button size="small" icon="upload" onClick={() => input.current?.click()}>
          {shown ? 'Replace' : 'Choose file'}
        </Button>
      </span>
    </div>
  );
}

async function readDraft(file: File): Promise<LogoDraft> {
  const url = await new Promise<string>((done) => {
    const reader = new FileReader();
    reader.onload = () => done(String(reader.result));
    reader.readAsDataURL(file);
  });
  const size = await new Promise<{ width: number; height: number }>((done) => {
    const image = new Image();
    image.onload = () => done({ width: image.naturalWidth, height: image.naturalHeight });
    // The server refuses files that are not images, with a message.
    image.onerror = () => done({ width: 0, height: 0 });
    image.src = url;
  });
  return { name: file.name, file: url.slice(url.indexOf(',') + 1), url, ...size, plate: file.type !== 'image/jpeg' };
}
