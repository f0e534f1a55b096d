'use client';
// The page of a form: local navigation at the left, the sections, and a bar at the bottom. Leaving it with unsaved
// changes asks first.
import type { ReactNode } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import { LeaveGuard } from './leave-guard';
import { LocalNav } from './local-nav';
import { useShortcuts } from './shortcuts';

type Props<Values extends FieldValues> = {
  form: UseFormReturn<Values>;
  sections: readonly { id: string; title: string }[];
  /** The sections with changes. */
  changed?: readonly string[];
  unsaved: boolean;
  /** Ctrl S, and Enter in a field; absent if the form is read-only. */
  submit?: () => void;
  children: ReactNode;
  /** Below the form. */
  bar: ReactNode;
};

export function FormPage<Values extends FieldValues>(props: Props<Values>) {
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
