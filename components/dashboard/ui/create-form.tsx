'use client';
// The form of a new object: the same sections as its settings, and one button at the bottom. Server errors are shown at
// their fields; an error without a visible field is shown above the button.
import { type ReactNode, useMemo, useState } from 'react';
import { type FieldValues, FormProvider, type UseFormReturn } from 'react-hook-form';
import { Button } from './button';
import { readSections, type Section, Sections } from './described';
import { showErrors } from './form-errors';
import { LeaveGuard } from './leave-guard';
import { LocalNav } from './local-nav';
import { Note } from './parts';
import { useShortcuts } from './shortcuts';

type Props<Values extends FieldValues> = {
  sections: readonly Section<Values>[];
  form: UseFormReturn<Values>;
  /** The verb with its object: `Create merchant`. */
  verb: string;
  /** The effect in a few words. */
  effect: string;
  /** Creates the object. A thrown error is shown. */
  onCreate: (values: Values) => Promise<void>;
  /** To the left of the button: a test, a link back. */
  aside?: ReactNode;
};

export function CreateForm<Values extends FieldValues>(props: Props<Values>) {
  const { sections, form, verb, effect, onCreate, aside } = props;
  const [busy, setBusy] = useState(false);
  const [made, setMade] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const { isDirty } = form.formState;
  const { words, ...nav } = useMemo(() => readSections(sections), [sections]);
  const create = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    try {
      await onCreate(form.getValues());
      setMade(true);
    } catch (thrown) {
      setError(showErrors(form, thrown, words.labels));
    } finally {
      setBusy(false);
    }
  };
  const submit = () => {
    // A server error at a field without rules would block the form until it is cleared.
    form.clearErrors();
    return form.handleSubmit(create)();
  };
  useShortcuts({ 'ctrl+s': () => void submit() });
  return (
    <FormProvider {...form}>
      <div className="flex flex-1 flex-col lg:flex-row">
        <LocalNav sections={nav.sections} changed={[]} />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            void submit();
          }}
          className="min-w-0 max-w-[820px] flex-1 px-gutter pb-10 lg:px-[39px]"
        >
          <Sections of={sections} />
          {/* Enter in a field submits, as in any form. */}
          <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
            {verb}
          </button>
        </form>
      </div>
      <section
        aria-label={verb}
        className="sticky bottom-0 z-3 mt-auto flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-bg px-gutter py-2.5 shadow-over phone:bottom-14"
      >
        <div className="min-w-0 flex-1">
          {error ? (
            <Note tone="bad" role="alert">
              {error}
            </Note>
          ) : (
            <p className="text-xs text-ink3">{effect}</p>
          )}
        </div>
        <div className="ml-auto flex gap-2 phone:w-full phone:[&>*]:flex-1">
          {aside}
          <Button kind="primary" keys="Ctrl S" busy={busy} onClick={() => void submit()}>
            {verb}
          </Button>
        </div>
      </section>
      <LeaveGuard on={isDirty && !made} />
    </FormProvider>
  );
}
