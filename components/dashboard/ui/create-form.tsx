'use client';
// The form of a new object: the same sections as its settings, and one button at the bottom. Server errors are shown at
// their fields; an error without a visible field is shown above the button.
import { type ReactNode, useMemo, useState } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from './button';
import { readSections, type Section, Sections } from './described';
import { showErrors } from './form-errors';
import { FormBar, FormPage } from './form-page';
import { Note } from './parts';

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
  return (
    <FormPage
      form={form}
      sections={nav.sections}
      unsaved={isDirty && !made}
      submit={() => void submit()}
      bar={
        <FormBar
          label={verb}
          buttons={
            <>
              {aside}
              <Button kind="primary" keys="Ctrl S" busy={busy} onClick={() => void submit()}>
                {verb}
              </Button>
            </>
          }
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
        </FormBar>
      }
    >
      <Sections of={sections} />
      {/* Enter in a field submits, as in any form. */}
      <button type="submit" className="unseen" tabIndex={-1} aria-hidden="true">
        {verb}
      </button>
    </FormPage>
  );
}
