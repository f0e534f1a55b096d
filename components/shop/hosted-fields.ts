'use client';
// Florin's hosted fields in the shop's page: loads the published script with its hash, as a merchant's page does, and
// mounts three frames with the token from the shop's server.
import { type RefObject, useEffect, useRef, useState } from 'react';
import { requestJson } from './client';

export const fieldNames = ['card', 'expiry', 'cvv'] as const;
export type FieldName = (typeof fieldNames)[number];

type Fault = { field: FieldName; message: string };
type Submitted = { result: 'success' } | { result: 'error'; message: string; faults: Fault[] };

/** The members of the published class used here; its full types are at /sdk/hosted-fields.d.ts. */
type Hosted = {
  init(options: object): void;
  on(event: 'focus' | 'blur', handler: (event: { field: FieldName }) => void): void;
  on(event: 'change', handler: (event: { field: FieldName; valid: boolean; empty: boolean }) => void): void;
  on(event: 'error', handler: (event: { faults: Fault[] }) => void): void;
  on(event: 'enter' | 'ready', handler: () => void): void;
  submit(): Promise<Submitted>;
  focus(field: FieldName): void;
  setStyle(style: object): void;
  destroy(): void;
};

type Library = { HostedFields?: new () => Hosted };

let loading: Promise<void> | undefined;

async function load(): Promise<void> {
  const manifest = await fetch('/sdk/manifest.json').then((response) => response.json());
  const { file, integrity } = manifest['hosted-fields.js'] as { file: string; integrity: string };
  await new Promise<void>((done, failed) => {
    const script = Object.assign(document.createElement('script'), { src: `/sdk/${file}`, integrity });
    script.addEventListener('load', () => done());
    script.addEventListener('error', () => failed(new Error('The script of the fields did not load.')));
    document.head.append(script);
  });
}

function stylesOf(box: Element | null): object {
  const { color } = getComputedStyle(box ?? document.body);
  const names = ['--bad', '--ink3'].map((name) => getComputedStyle(probe(name)).color);
  document.querySelector('[data-probe]')?.remove();
  return {
    input: { color, caretColor: color, fontSize: '16px', padding: '0 12px' },
    'input.invalid': { color: names[0] },
    '::placeholder': { color: names[1] },
  };
}

// A custom property returns its text, but the frames need the computed colour.
function probe(name: string): Element {
  const known = document.querySelector<HTMLElement>('[data-probe]');
  const element = known ?? document.body.appendChild(document.createElement('i'));
  element.dataset.probe = '';
  element.hidden = true;
  element.style.color = `var(${name})`;
  return element;
}

export type Mounted = {
  hosted: RefObject<Hosted | null>;
  ready: boolean;
  focused: FieldName | null;
  faults: Partial<Record<FieldName, string>>;
  /** Why the fields could not be mounted. */
  failed: string | null;
};

/** Mounts the fields into the elements with the ids `card`, `expiry` and `cvv`. */
export function useHostedFields(orderId: string, onEnter: () => void): Mounted {
  const hosted = useRef<Hosted | null>(null);
  const [ready, setReady] = useState(false);
  const [failed, setFailed] = useState<string | null>(null);
  const [focused, setFocused] = useState<FieldName | null>(null);
  const [faults, setFaults] = useState<Mounted['faults']>({});
  const enter = useRef(onEnter);
  useEffect(() => {
    enter.current = onEnter;
  });
  useEffect(() => {
    let isUnmounted = false;
    const dark = matchMedia('(prefers-color-scheme: dark)');
    const restyle = () => hosted.current?.setStyle(stylesOf(document.getElementById('card')));
    const mount = async () => {
      loading ??= load();
      const [{ token }] = await Promise.all([requestJson<{ token: string }>(`/orders/${orderId}/token`, {}), loading]);
      const { HostedFields } = window as Library;
      if (isUnmounted || !HostedFields) return;
      const made = new HostedFields();
      hosted.current = made;
      made.on('ready', () => setReady(true));
      made.on('focus', ({ field }) => setFocused(field));
      made.on('blur', () => setFocused(null));
      made.on('change', ({ field, valid, empty }) => {
        if (valid || empty) setFaults(({ [field]: _, ...others }) => others);
      });
      made.on('error', ({ faults: found }) => {
        setFaults((others) => ({ ...others, ...Object.fromEntries(found.map((each) => [each.field, each.message])) }));
      });
      made.on('enter', () => enter.current());
      made.init({
        sessionToken: token,
        fields: {
          card: { id: 'card', label: 'Card number' },
          expiry: { id: 'expiry', label: 'Expiry date', placeholder: 'MM / YY' },
          cvv: { id: 'cvv', label: 'Security code' },
        },
        style: stylesOf(document.getElementById('card')),
        language: 'en',
      });
      dark.addEventListener('change', restyle);
    };
    mount().catch((error: unknown) => setFailed(error instanceof Error ? error.message : 'The fields did not load.'));
    return () => {
      isUnmounted = true;
      dark.removeEventListener('change', restyle);
      hosted.current?.destroy();
      hosted.current = null;
    };
  }, [orderId]);
  return { hosted, ready, focused, faults, failed };
}

/** The browser data for 3-D Secure. */
export function browserInfo(): Record<string, string | number | boolean> {
  return {
    user_agent: navigator.userAgent,
    language: navigator.language,
    color_depth: screen.colorDepth,
    screen_height: screen.height,
    screen_width: screen.width,
    timezone_offset: new Date().getTimezoneOffset(),
    java_enabled: false,
    javascript_enabled: true,
  };
}
