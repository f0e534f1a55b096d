'use client';
// The branding editor of a merchant's payment page: settings on the left, on the right a preview by the
// documents that payers get.
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import type { LocaleCode } from '../../../lib/core/locales.ts';
import { type TextLanguage, textPlaces, textsFor } from '../../../lib/core/page-texts.ts';
import type {
  BrandingForm,
  BrandingPage,
  BrandingView,
  LogoChange,
  LogoView,
} from '../../../lib/dashboard/branding/contract.ts';
import { SettingsForm, useSettings } from '../ui/index.ts';
import { MerchantBar } from '../wallets/merchant-bar.tsx';
import { brandingSections, textWords } from './fields.tsx';
import { type LogoDraft, LogoField } from './logo-field.tsx';
import { Preview } from './preview.tsx';
import { pagePath, ThemeBar } from './themes.tsx';

export function BrandingEditor({ page }: { page: BrandingPage }) {
  const { merchants, themes, look } = page;
  if (!look)
    return <p className="px-gutter py-8 text-ink2">There is no merchant yet. Create one to brand its payment page.</p>;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MerchantBar merchants={merchants} merchant={look.merchant} at={pagePath} />
      <ThemeBar themes={themes} look={look} />
      <Editor key={look.theme?.id ?? look.merchant.id} initial={look} />
    </div>
  );
}

// The form and the preview are side by side with the save bar below; on narrow screens the preview is last.
const layout =
  'grid min-w-0 flex-1 content-start xl:grid-cols-[minmax(0,436px)_minmax(0,1fr)] xl:grid-rows-[1fr_auto] [&>div>form]:px-gutter [&>div>nav]:hidden xl:[&>div]:border-r xl:[&>div]:border-line [&>section[aria-label=Changes]]:order-last xl:[&>section[aria-label=Changes]]:col-span-full xl:[&>section[aria-label=Changes]]:row-start-2';

function Editor({ initial }: { initial: BrandingView }) {
  const [draft, setDraft] = useState<LogoDraft | null>(null);
  const [textLanguage, setTextLanguage] = useState<TextLanguage>('default');
  const [language, setLanguage] = useState('en');
  const path = `/look/${initial.merchant.id}${initial.theme ? `/themes/${initial.theme.id}` : ''}`;
  const router = useRouter();
  const settings = useSettings<BrandingView, BrandingForm>({
    initial,
    path,
    valuesOf,
    mode: 'onTouched',
    toSend: ({ logo, ...rest }, { logo: published }) => ({ ...rest, logo: logoChange(logo, published, draft) }),
  });
  const { page: look, form } = settings;
  const values = { ...valuesOf(look), ...useWatch({ control: form.control }) } as BrandingForm;
  const hasDraft = draft !== null && values.logo === draftText(draft);
  const src = hasDraft ? draft.url : values.logo !== '' && look.logo?.kind === 'uploaded' ? look.logo.src : null;
  const logo = (
    <LogoField
      shown={values.logo}
      src={src}
      onChoose={(chosen) => {
        setDraft(chosen);
        form.clearErrors('logo');
        form.setValue('logo', draftText(chosen), { shouldDirty: true });
      }}
      onRemove={() => form.setValue('logo', '', { shouldDirty: true })}
    />
  );
  const onLanguage = (code: TextLanguage) => {
    setTextLanguage(code);
    if (code !== 'default') setLanguage(code);
  };
  return (
    <div className={layout}>
      <SettingsForm
        settings={{ ...settings, save: (written) => settings.save(written).then(() => router.refresh()) }}
        sections={brandingSections({
          theme: initial.theme !== null,
          logo,
          radius: values.radius,
          language: textLanguage,
          onLanguage,
        })}
        words={textWords}
        effect="Payers see it from their next page load"
        saved="Branding published."
      />
      <Preview
        path={path}
        look={drawingOf(values, language as LocaleCode, hasDraft ? draft : null, src !== null)}
        logo={hasDraft ? draft.url : null}
        language={language}
        onLanguage={setLanguage}
      />
    </div>
  );
}

function logoChange(logo: string, published: LogoView | null, draft: LogoDraft | null): LogoChange {
  if (logo === logoText(published) || (logo !== '' && !draft)) return 'keep';
  return logo === '' ? 'remove' : { file: draft?.file ?? '' };
}

function valuesOf({ values, logo }: BrandingView): BrandingForm {
  return { ...values, logo: logoText(logo) };
}

function logoText(logo: LogoView | null): string {
  if (logo === null) return '';
  if (logo.kind === 'address') return `Loaded from ${logo.url}`;
  return factsOf(logo.type.replace('image/', '').toUpperCase(), logo, logo.bytes);
}

const draftText = (draft: LogoDraft) => factsOf(draft.name, draft, (draft.file.length * 3) / 4);

const factsOf = (name: string, { width, height }: { width: number; height: number }, bytes: number) =>
  `${name}, ${width} × ${height}, ${Math.max(1, Math.round(bytes / 1024))} KB`;

/** The draft as the query of the preview; empty texts are left out. */
function drawingOf(values: BrandingForm, language: LocaleCode, draft: LogoDraft | null, hasLogo: boolean) {
  const { accent, background, radius, font, privacyUrl, termsUrl, supportEmail, texts } = values;
  const logo = draft ? 'draft' : hasLogo ? 'stored' : 'none';
  const shape = draft ? { square: draft.width === draft.height ? '1' : '', plate: draft.plate ? '1' : '' } : {};
  const lines = textsFor(texts ?? {}, language);
  const all: Record<string, string | undefined> = {
    accent,
    background,
    radius,
    font,
    logo,
    ...shape,
    privacy: privacyUrl && '1',
    terms: termsUrl && '1',
    support: supportEmail,
    ...Object.fromEntries(textPlaces.map((place) => [`text.${place}`, lines[place]])),
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])));
}
