'use client';
// The page of a form: local navigation at the left, the sections, and a bar at the bottom. Leaving it with unsaved
// changes asks first.
import clsx from 'clsx';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import { Button } from './button.tsx';
import { readSections, type Section, Sections } from './described.tsx';
import { useSubmit } from './form.tsx';
import { LeaveGuard } from './leave-guard.tsx';
import { ErrorNote } from './parts.tsx';
import { useShortcuts } from './shortcuts.ts';

type PageProps<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  sections: readonly { id: string; title: string }[];
  changed?: readonly string[];
  unsaved: boolean;
  /** Ctrl S, and Enter in a field; absent if the form is read-only. */
  submit?: () => void;
  children: ReactNode;
  bar: ReactNode;
};

export function FormPage<Values extends FieldValues>(props: PageProps<Values>) {
  const { form, sections, changed = [], unsaved, submit, children, bar } = props;
  useShortcuts({ 'ctrl+s': () => submit?.() }, { on: submit !== undefined });
  return (
    <FormProvider {...form}>
      <div className="flex flex-1 flex-col lg:flex-row">
        <LocalNav sections={sections} changed={changed} />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit?.();
          }}
          className="min-w-0 max-w-[820px] flex-1 px-gutter pb-10 lg:px-[39px]"
        >
          {children}
        </form>
      </div>
      {bar}
      <LeaveGuard on={unsaved} />
    </FormProvider>
  );
}

/** The bar at the bottom of the window: what would be saved, and the buttons. */
export function FormBar({ label, children, buttons }: { label: string; children: ReactNode; buttons: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="sticky bottom-0 z-3 mt-auto flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-bg px-gutter py-2.5 shadow-over phone:bottom-14"
    >
      {children}
      <div className="ml-auto flex gap-2 phone:w-full phone:[&>*]:flex-1">{buttons}</div>
    </section>
  );
}

type NavProps = { sections: readonly { id: string; title: string }[]; changed: readonly string[] };

function LocalNav({ sections, changed }: NavProps) {
  const current = useCurrent(sections);
  return (
    <nav
      aria-label="On this page"
      className="border-line max-lg:sticky max-lg:top-[calc(var(--top)+48px)] max-lg:z-2 max-lg:overflow-x-auto max-lg:border-b max-lg:bg-bg lg:w-[196px] lg:shrink-0 lg:border-r"
    >
      <ul className="top-[calc(var(--top)+48px)] flex gap-1 px-gutter max-lg:h-11 max-lg:items-center lg:sticky lg:flex-col lg:gap-0.5 lg:py-4 lg:pr-3">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={current === id ? 'true' : undefined}
              className={clsx(
                'flex min-h-7 items-center justify-between gap-2 whitespace-nowrap no-underline hover:text-ink max-lg:px-2 phone:min-h-11',
                current === id ? 'font-semibold text-ink' : 'text-ink2',
              )}
            >
              {title}
              {changed.includes(id) ? (
                <>
                  <span aria-hidden="true" className="size-1.5 rounded-full bg-accent" />
                  <span className="unseen">changed</span>
                </>
              ) : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** The last section whose beginning is above the upper third of the window. */
function useCurrent(sections: NavProps['sections']): string | undefined {
  const [current, setCurrent] = useState(sections[0]?.id);
  useEffect(() => {
    const update = () => {
      const atEnd =
        window.innerHeight + window.scrollY >= document.documentElement.scrollHeight - 2 && window.scrollY > 0;
      const passed = sections.filter(({ id }) => {
        const top = document.getElementById(id)?.getBoundingClientRect().top;
        return top !== undefined && top < window.innerHeight / 3;
      });
      setCurrent((atEnd ? sections.at(-1) : (passed.at(-1) ?? sections[0]))?.id);
    };
    update();
    addEventListener('scroll', update, { passive: true });
    return () => removeEventListener('scroll', update);
  }, [sections]);
  return current;
}

type CreateProps<Values extends FieldValues> = {
  title: string;
  /** Between the title and the form. */
  before?: ReactNode;
  sections: readonly Section<Values>[];
  form: UseFormReturn<Values>;
  /** The verb with its object: `Create merchant`. */
  verb: string;
  effect: string;
  /** Creates the object. A thrown error is shown. */
  onCreate: (values: Values) => Promise<void>;
  /** To the left of the button: a test, a link back. */
  aside?: ReactNode;
};

export function CreateForm<Values extends FieldValues>(props: CreateProps<Values>) {
  const { title, before, sections, form, verb, effect, onCreate, aside } = props;
  const [made, setMade] = useState(false);
  const { isDirty } = form.formState;
  const { words, ...nav } = useMemo(() => readSections(sections), [sections]);
  const create = (values: Values) => onCreate(values).then(() => setMade(true));
  const { error, busy, submit } = useSubmit(form, create, words.labels);
  return (
    <div className="flex min-w-0 flex-1 flex-col">
      <div className="border-b border-line px-gutter py-3.5">
        <h1 className="text-title font-semibold">{title}</h1>
      </div>
      {before}
      <FormPage
        form={form}
        sections={nav.sections}
        unsaved={isDirty && !made}
        submit={submit}
        bar={
          <FormBar
            label={verb}
            buttons={
              <>
                {aside}
                <Button kind="primary" keys="Ctrl S" busy={busy} onClick={submit}>
                  {verb}
                </Button>
              </>
            }
          >
            <div className="min-w-0 flex-1">
              {error ? <ErrorNote text={error} /> : <p className="text-xs text-ink3">{effect}</p>}
            </div>
          </FormBar>
        }
      >
        <Sections of={sections} />
        {/* Enter in a field submits, as in any form. */}
        <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
          {verb}
        </button>
      </FormPage>
    </div>
  );
}
