'use client';
// The preview of a payment page: the document that payers get, with the draft, in any of its states.
import { useEffect, useRef, useState } from 'react';
import { locales } from '../../../lib/core/locales.ts';
import { type PreviewState, previewStates } from '../../../lib/dashboard/branding/contract.ts';
import { useWidth } from '../overview/chart.tsx';
import { optionsOf, Select, Tabs } from '../ui/index.ts';

const choices = { Width: { wide: 'Wide', phone: 'Phone' }, Scheme: { light: 'Light', dark: 'Dark' } };

type Chosen = { Width: keyof typeof sizes; Scheme: string };

const sizes = { wide: { width: 1180, height: 900 }, phone: { width: 390, height: 720 } };

type Drawing = {
  /** The path of the branding. */
  path: string;
  /** The preview's query with the branding. */
  look: Record<string, string>;
  logo: string | null;
  language: string;
  onLanguage: (code: string) => void;
};

/** A frame with the payment page and the draft. The wide page is drawn at full width and scaled down. */
export function Preview({ path, look, logo, language, onLanguage }: Drawing) {
  const [chosen, setChosen] = useState<Chosen>({ Width: 'wide', Scheme: 'light' });
  const [state, setState] = useState<PreviewState>('form-list');
  const query = new URLSearchParams({ ...look, state, scheme: chosen.Scheme, lang: language });
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
          <span className="w-[212px] phone:w-full">
            <Select
              size="full"
              aria-label="State of the preview"
              value={state}
              onChange={({ target }) => setState(target.value as PreviewState)}
              options={optionsOf(...previewStates)}
            />
          </span>
          <span className="w-[170px] phone:w-full">
            <Select
              size="full"
              aria-label="Language of the preview"
              value={language}
              onChange={({ target }) => onLanguage(target.value)}
              options={optionsOf(...locales.map(({ code, name }) => [code, name] as const))}
            />
          </span>
        </div>
        <Page address={`/dashboard/api${path}/preview?${query}`} device={chosen.Width} logo={logo} />
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
