'use client';
// A frame with the payment page and the draft: the server renders the documents that payers get. The wide page is drawn
// at full width and scaled down.
import { useEffect, useRef, useState } from 'react';
import { locales } from '../../../lib/core/locales.ts';
import type { PreviewState } from '../../../lib/dashboard/branding/contract.ts';
import { Select, Tabs } from '../ui/index.ts';

const choices = {
  Width: { wide: 'Wide', phone: 'Phone' },
  State: { form: 'Form', declined: 'Declined', done: 'Success' },
  Scheme: { light: 'Light', dark: 'Dark' },
};

type Chosen = { Width: keyof typeof sizes; State: PreviewState; Scheme: string };

const sizes = { wide: { width: 1180, height: 900 }, phone: { width: 390, height: 720 } };

export type Drawing = {
  merchantId: string;
  /** The preview's query with the branding. */
  look: Record<string, string>;
  /** An unpublished logo as a data URL. */
  logo: string | null;
  language: string;
  onLanguage: (code: string) => void;
};

export function Preview({ merchantId, look, logo, language, onLanguage }: Drawing) {
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
              options={locales.map(({ code, name }) => ({ value: code, label: name }))}
            />
          </span>
        </div>
        <Page address={`/dashboard/api/look/${merchantId}/preview?${query}`} device={chosen.Width} logo={logo} />
      </div>
    </section>
  );
}

type PageProps = { address: string; device: 'wide' | 'phone'; logo: string | null };

const waitMs = 250;

function Page({ address, device, logo }: PageProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const { place, scale } = useScale(sizes[device].width);
  const shown = useRef('');
  const { width, height } = sizes[device];
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

/** The scale that fits this width; 0 until the page is measured. */
function useScale(width: number) {
  const place = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(0);
  useEffect(() => {
    const box = place.current;
    if (!box) return;
    const measure = () => {
      const { paddingLeft, paddingRight } = getComputedStyle(box);
      setRoom(box.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  return { place, scale: room <= 0 ? 0 : Math.min(1, room / width) };
}
