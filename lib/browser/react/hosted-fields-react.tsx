// Hosted fields for React pages: the global class of /sdk/hosted-fields.js with a component's life cycle. It does
// nothing during server rendering and supports the double mount of StrictMode.
import { type RefObject, type SubmitEvent, useEffect, useId, useRef, useState } from 'react';
import type {
  HostedFieldName,
  HostedFields as HostedFieldsClass,
  HostedFieldsEvents,
  HostedFieldsResult,
} from '../fields/hosted-fields.d.ts';
import type * as Shipped from '../fields/hosted-fields-react.d.ts';

type Constructor = typeof HostedFieldsClass;
type Options = Shipped.UseHostedFieldsOptions;
type Refs = Shipped.HostedFieldsControls['refs'];
type States = Shipped.HostedFieldsControls['states'];

const names: readonly HostedFieldName[] = ['card', 'expiry', 'cvv'];
const frames = [...names, 'line'] as const;
const fieldsIn = (frame: (typeof frames)[number]) => (frame === 'line' ? names : [frame]);
const untouched: Shipped.HostedFieldState = { valid: false, empty: true, brand: null, focused: false, fault: null };
const noStates: States = { card: untouched, expiry: untouched, cvv: untouched };

const loading = new Map<string, Promise<Constructor>>();

/** The class, from the script's element or already on the page. A failed load is repeated next time. */
function load(src: string, integrity: string | undefined): Promise<Constructor> {
  const present = () => (globalThis as { HostedFields?: Constructor }).HostedFields;
  const known = loading.get(src);
  if (known) return known;
  const begun = new Promise<Constructor>((done, failed) => {
    const found = present();
    if (found) return done(found);
    const script = document.createElement('script');
    const fail = () => {
      loading.delete(src);
      script.remove();
      failed(new Error(`${src} did not load`));
    };
    script.onload = () => {
      const loaded = present();
      if (loaded) done(loaded);
      else fail();
    };
    script.onerror = fail;
    script.crossOrigin = 'anonymous';
    if (integrity) script.integrity = integrity;
    script.src = src;
    document.head.append(script);
  });
  loading.set(src, begun);
  return begun;
}

/** The latest value: what changes with every render is read when needed, so that only real changes remount the fields. */
function useLatest(options: Options): RefObject<Options> {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  return latest;
}

type Patch = (field: HostedFieldName, change: Partial<Shipped.HostedFieldState>) => void;

/** Updates the states by the events and calls the page's handlers. */
function listen(made: HostedFieldsClass, latest: RefObject<Options>, patch: Patch, onReady: () => void) {
  made.on('ready', () => {
    onReady();
    latest.current.onReady?.();
  });
  made.on('change', (change) => {
    const { field, valid, empty, brand } = change;
    patch(field, { valid, empty, brand, ...((valid || empty) && { fault: null }) });
    latest.current.onChange?.(change);
  });
  made.on('focus', ({ field }) => patch(field, { focused: true }));
  made.on('blur', ({ field }) => patch(field, { focused: false }));
  made.on('enter', (detail) => latest.current.onEnter?.(detail));
  made.on('agreement', (detail) => latest.current.onAgreement?.(detail));
  made.on('wallet', (detail) => latest.current.onWallet?.(detail));
  made.on('error', (error) => {
    for (const fieldError of error.faults)
      if (fieldError.field !== 'agreement') patch(fieldError.field, { fault: fieldError });
    latest.current.onError?.(error);
  });
}

/** Mounts the fields in the elements of `refs`, again when an option changes that applies to the mount only. */
function useMounted(options: Options, refs: Refs) {
  const { script, integrity, sessionToken, fields, language } = options;
  const [states, setStates] = useState(noStates);
  const [isReady, setReady] = useState(false);
  const hosted = useRef<HostedFieldsClass>(null);
  const latest = useLatest(options);
  const patch: Patch = (field, change) => setStates((all) => ({ ...all, [field]: { ...all[field], ...change } }));
  const wanted = JSON.stringify(fields);
  // biome-ignore lint/correctness/useExhaustiveDependencies: refs and setters are stable; `wanted` is the fields
  useEffect(() => {
    if (sessionToken === null) return;
    let isGone = false;
    const fail = (message: string) => {
      const error: HostedFieldsEvents['error'] = { type: 'setup', message, faults: [] };
      if (!isGone) latest.current.onError?.(error);
    };
    load(script, integrity)
      .then((HostedFields) => {
        if (isGone) return;
        const made = new HostedFields();
        hosted.current = made;
        listen(made, latest, patch, () => setReady(true));
        const inputs = latest.current.fields;
        const mounted = ([...frames, 'agreement'] as const).flatMap((name) => {
          const element = refs[name].current;
          return inputs[name] && element ? [[name, { ...inputs[name], element }] as const] : [];
        });
        const { style: firstStyle } = latest.current;
        made.init({ sessionToken, fields: Object.fromEntries(mounted), style: firstStyle, language });
      })
      .catch((error: unknown) => fail(error instanceof Error ? error.message : String(error)));
    return () => {
      isGone = true;
      hosted.current?.destroy();
      hosted.current = null;
      setReady(false);
      setStates(noStates);
    };
  }, [script, integrity, sessionToken, language, wanted]);
  return { hosted, states, isReady };
}

export const useHostedFields: typeof Shipped.useHostedFields = (options) => {
  const { style } = options;
  const refs: Refs = {
    card: useRef<HTMLDivElement>(null),
    expiry: useRef<HTMLDivElement>(null),
    cvv: useRef<HTMLDivElement>(null),
    line: useRef<HTMLDivElement>(null),
    agreement: useRef<HTMLDivElement>(null),
  };
  const { hosted, states, isReady } = useMounted(options, refs);

  const styleJson = JSON.stringify(style);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `styleJson` represents the style
  useEffect(() => {
    if (isReady && style) hosted.current?.setStyle(style);
  }, [styleJson]);

  const unmounted: HostedFieldsResult = {
    result: 'error',
    code: 'setup',
    message: 'The fields are not mounted',
    faults: [],
  };
  return {
    refs,
    states,
    isReady,
    submit: () => hosted.current?.submit() ?? Promise.resolve(unmounted),
    focus: (field) => hosted.current?.focus(field),
    clear: (field) => hosted.current?.clear(field),
    wallets: (options) => hosted.current?.wallets(options) ?? Promise.resolve([]),
  };
};

export const HostedFieldsForm: typeof Shipped.HostedFieldsForm = ({ onResult, className, children, ...options }) => {
  const form = useRef<HTMLFormElement>(null);
  const id = useId();
  const { refs, states, submit } = useHostedFields({ ...options, onEnter: () => form.current?.requestSubmit() });
  const send = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    // A press during a submit has no effect.
    void submit().then((result) =>
      result.result === 'error' && result.code === 'busy' ? undefined : onResult(result),
    );
  };
  return (
    <form ref={form} className={className} onSubmit={send} noValidate>
      {frames.map((name) => {
        const frame = options.fields[name];
        if (!frame) return null;
        const inside = fieldsIn(name).map((field) => states[field]);
        const fault = inside.find((state) => state.fault)?.fault;
        return (
          <div key={name} className="hosted-field">
            <label className="hosted-field-label" htmlFor={`${id}${name}`}>
              {frame.label ?? name}
            </label>
            <div
              ref={refs[name]}
              id={`${id}${name}`}
              className="hosted-field-box"
              data-focused={inside.some(({ focused }) => focused) || undefined}
              data-valid={inside.every(({ valid }) => valid) || undefined}
              data-invalid={fault ? true : undefined}
            />
            {fault ? <p className="hosted-field-error">{fault.message}</p> : null}
          </div>
        );
      })}
      {options.fields.agreement ? <div ref={refs.agreement} className="hosted-field-agreement" /> : null}
      {children}
    </form>
  );
};
