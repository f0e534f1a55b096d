'use client';
// The branding editor of a merchant's payment page: settings on the left, on the right a preview by the
// documents that payers get.
import { useEffect, useRef, useState } from 'react';
import { useWatch } from 'react-hook-form';
import { type LocaleCode, locales } from '../../../lib/core/locales.ts';
import { type TextLanguage, textsFor } from '../../../lib/core/page-texts.ts';
import type {
  BrandingForm,
  BrandingPage,
  BrandingView,
  LogoChange,
  LogoView,
  PreviewState,
} from '../../../lib/dashboard/branding/contract.ts';
import { useWidth } from '../overview/chart.tsx';
import { optionsOf, Select, SettingsForm, Tabs, useSettings } from '../ui/index.ts';
import { MerchantBar } from '../wallets/merchant-bar.tsx';
import { brandingSections, type LogoDraft, LogoField, textWords } from './fields.tsx';

export function BrandingEditor({ page }: { page: BrandingPage }) {
  const { merchants, look } = page;
  if (!look)
    return <p className="px-gutter py-8 text-ink2">There is no merchant yet. Create one to brand its payment page.</p>;
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <MerchantBar merchants={merchants} merchant={look.merchant} at="/dashboard/payment-page" />
      <Editor key={look.merchant.id} initial={look} />
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
  const settings = useSettings<BrandingView, BrandingForm>({
    initial,
    path: `/look/${initial.merchant.id}`,
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
        settings={settings}
        sections={brandingSections({ logo, radius: values.radius, language: textLanguage, onLanguage })}
        words={textWords}
        effect="Payers see it from their next page load"
        saved="Branding published."
      />
      <Preview
        merchantId={look.merchant.id}
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
  const { accent, radius, privacyUrl, termsUrl, supportEmail, texts } = values;
  const logo = draft ? 'draft' : hasLogo ? 'stored' : 'none';
  const shape = draft ? { square: draft.width === draft.height ? '1' : '', plate: draft.plate ? '1' : '' } : {};
  const all: Record<string, string | undefined> = {
    accent,
    radius,
    logo,
    ...shape,
    privacy: privacyUrl && '1',
    terms: termsUrl && '1',
    support: supportEmail,
    ...textsFor(texts ?? {}, language),
  };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => Boolean(entry[1])));
}

const choices = {
  Width: { wide: 'Wide', phone: 'Phone' },
  State: { form: 'Form', declined: 'Declined', done: 'Success' },
  Scheme: { light: 'Light', dark: 'Dark' },
};

type Chosen = { Width: keyof typeof sizes; State: PreviewState; Scheme: string };

const sizes = { wide: { width: 1180, height: 900 }, phone: { width: 390, height: 720 } };

type Drawing = {
  merchantId: string;
  /** The preview's query with the branding. */
  look: Record<string, string>;
  logo: string | null;
  language: string;
  onLanguage: (code: string) => void;
};

/** A frame with the payment page and the draft. The wide page is drawn at full width and scaled down. */
function Preview({ merchantId, look, logo, language, onLanguage }: Drawing) {
  const [chosen, setChosen] = useState<Chosen>({ Width: 'wide', State: 'form', Scheme: 'light' });
  const query = new URLSearchParams({ ...look, state: chosen.State, scheme: chosen.Scheme, lang: language });
  return (
    <section
      aria-label="Preview"
      className="min-w-0 bg-sub max-xl:border-t max-xl:border-line xl:col-start-2 xl:row-start-1"
    >
      <div className="xl:sticky xl:top-[calc(var(--top)+48px)]">
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-bg px-gutter py-2.5">
          {Object.entries(choices).map(([label, titles]) => (
            <Tabs
              key={label}
              segments
              label={label}
              tabs={Object.entries(titles).map(([id, title]) => ({ id, title }))}
              value={chosen[label as keyof typeof choices]}
              onChange={(id) => setChosen({ ...chosen, [label]: id })}
            />
          ))}
          <span className="w-[170px]">
            <Select
              aria-label="Language of the preview"
              value={language}
              onChange={({ target }) => onLanguage(target.value)}
              options={optionsOf(...locales.map(({ code, name }) => [code, name] as const))}
            />
          </span>
        </div>
        <Page address={`/dashboard/api/look/${merchantId}/preview?${query}`} device={chosen.Width} logo={logo} />
      </div>
    </section>
  );
}

const waitMs = 250;

function Page({ address, device, logo }: { address: string; device: 'wide' | 'phone'; logo: string | null }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const shown = useRef('');
  const { width, height } = sizes[device];
  const [place, room] = useWidth(0);
  const scale = Math.min(1, room / width);
  const isReady = scale > 0;
  useEffect(() => {
    if (!isReady) return;
    // Replaces the document, so that typing adds no browser history.
    const show = () => {
      shown.current = address;
      frame.current?.contentWindow?.location.replace(address);
    };
    const timer = setTimeout(show, shown.current === '' ? 0 : waitMs);
    return () => clearTimeout(timer);
  }, [address, isReady]);
  const putLogo = () => {
    const image = frame.current?.contentDocument?.querySelector<HTMLImageElement>('img.logo');
    if (image && logo) image.src = logo;
  };
  // A new logo is drawn into the loaded page.
  useEffect(putLogo, [logo]);
  return (
    <div ref={place} className="grid justify-items-center overflow-hidden px-gutter py-6">
      {isReady ? (
        <div
          className="overflow-hidden rounded-dialog border border-solid border-line2 bg-bg shadow-lifted"
          style={{ width: width * scale, height: height * scale }}
        >
          <iframe
            ref={frame}
            title="Payment page preview"
            sandbox="allow-same-origin"
            onLoad={putLogo}
            className="block origin-top-left border-0"
            style={{ width, height, transform: `scale(${scale})` }}
          />
        </div>
      ) : null}
    </div>
  );
}
