'use client';
// A settings page: local navigation with change dots on the left, the form, and a save bar that appears with the first
// change and lists every change.
import { type ReactNode, useCallback, useMemo, useRef, useState } from 'react';
import { type FieldValues, FormProvider, type Path, type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from './button';
import { type ChangeLabels, changesOf, type FieldChange } from './changes';
import { ConfirmDialog } from './dialog';
import { SettingsContext } from './form';
import { LeaveGuard } from './leave-guard';
import { LocalNav } from './local-nav';
import { RequestFailed } from './request';
import { useShortcuts } from './shortcuts';
import { useToast } from './toast';

type Props<Values extends FieldValues> = ChangeLabels & {
  sections: readonly { id: string; title: string }[];
  children: ReactNode;
  form: UseFormReturn<Values>;
  /** The effect of saving in a few words: `Takes effect immediately for payments`. */
  effect: string;
  /** Saves. A thrown error is shown; a RequestFailed sets its `fields` at the fields. */
  onSave: (values: Values, changes: FieldChange[]) => Promise<void>;
  /** The text of the toast afterwards. */
  saved?: string;
  /** Read-only: no save bar, and every control is disabled. */
  readOnly?: boolean;
};

export function SettingsForm<Values extends FieldValues>(props: Props<Values>) {
  const { sections, children, form, readOnly = false } = props;
  const [reviewing, setReviewing] = useState(false);
  const places = useRef(new Map<string, string>());
  const place = useCallback((field: string, section: string) => {
    places.current.set(field, section);
  }, []);
  const changes = useChanges(props);
  const changed = useMemo(() => new Set(changes.map(({ field }) => field)), [changes]);
  const context = useMemo(() => ({ changed, place }), [changed, place]);
  const review = form.handleSubmit(() => setReviewing(true));
  useShortcuts({ 'ctrl+s': () => (changes.length > 0 ? void review() : undefined) }, { on: !readOnly });
  const changedSections = sections.filter(({ id }) =>
    [...places.current].some(([field, section]) => section === id && holds(changed, field)),
  );
  return (
    <FormProvider {...form}>
      <SettingsContext value={context}>
        <div className="flex flex-1 flex-col lg:flex-row">
          <LocalNav sections={sections} changed={changedSections.map(({ id }) => id)} />
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              if (changes.length > 0) void review();
            }}
            className="min-w-0 max-w-[820px] flex-1 px-gutter pb-10 lg:px-[39px]"
          >
            <fieldset disabled={readOnly}>{children}</fieldset>
          </form>
        </div>
        {changes.length > 0 && !readOnly ? (
          <SaveBar changes={changes} effect={props.effect} discard={() => form.reset()} review={review} />
        ) : null}
        <Review {...props} changes={changes} open={reviewing} close={() => setReviewing(false)} />
        <LeaveGuard on={changes.length > 0 && !readOnly} />
      </SettingsContext>
    </FormProvider>
  );
}

function holds(changed: ReadonlySet<string>, field: string): boolean {
  return changed.has(field) || [...changed].some((each) => each.startsWith(`${field}.`));
}

function useChanges<Values extends FieldValues>({ form, labels, show, secrets }: Props<Values>): FieldChange[] {
  const values = useWatch({ control: form.control });
  const { defaultValues } = form.formState;
  return useMemo(
    () => changesOf(defaultValues ?? {}, values, { labels, show, secrets }),
    [defaultValues, values, labels, show, secrets],
  );
}

const countText = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

type BarProps = { changes: FieldChange[]; effect: string; discard: () => void; review: () => void };

function SaveBar({ changes, effect, discard, review }: BarProps) {
  return (
    <section
      aria-label="Changes"
      className="sticky bottom-0 z-3 mt-auto flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-bg px-gutter py-2.5 shadow-over phone:bottom-14"
    >
      <div>
        <p className="font-semibold" aria-live="polite">
          {countText(changes.length)}, not saved
        </p>
        <p className="text-xs text-ink3">{effect}</p>
      </div>
      <div className="max-h-[92px] min-w-0 flex-1 overflow-y-auto text-xs phone:hidden">
        <ChangeList changes={changes} />
      </div>
      <div className="ml-auto flex gap-2 phone:w-full phone:[&>button]:flex-1">
        <Button kind="bare" onClick={discard}>
          Discard
        </Button>
        <Button kind="primary" keys="Ctrl S" onClick={review}>
          Review and save
        </Button>
      </div>
    </section>
  );
}

/** Each change with its old and new value. */
export function ChangeList({ changes }: { changes: FieldChange[] }) {
  return (
    <dl className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[fit-content(220px)_minmax(0,1fr)]">
      {changes.map(({ field, label, before, after }) => (
        <div key={field} className="contents">
          <dt className="text-ink2">{label}</dt>
          <dd className="flex min-w-0 flex-wrap gap-x-2 phone:mb-1.5">
            <del className="max-w-full break-words text-bad">{before}</del>{' '}
            <ins className="max-w-full break-words font-medium text-ok no-underline">{after}</ins>
          </dd>
        </div>
      ))}
    </dl>
  );
}

type ReviewProps<Values extends FieldValues> = Props<Values> & {
  changes: FieldChange[];
  open: boolean;
  close: () => void;
};

function Review<Values extends FieldValues>(props: ReviewProps<Values>) {
  const { form, changes, open, close, effect, onSave, saved = 'Saved.' } = props;
  const toast = useToast();
  const save = async () => {
    const values = form.getValues();
    try {
      await onSave(values, changes);
    } catch (thrown) {
      if (setFieldErrors(form, thrown)) return;
      throw thrown;
    }
    form.reset(values);
    toast(saved);
  };
  return (
    <ConfirmDialog
      open={open}
      onClose={close}
      title={`Save ${countText(changes.length)}`}
      verb={`Save ${countText(changes.length)}`}
      onConfirm={save}
    >
      <ChangeList changes={changes} />
      <p className="text-xs text-ink3">{effect}.</p>
    </ConfirmDialog>
  );
}

/**
 * Shows the server's errors at their fields and focuses the first. Returns whether there were any: an error without a
 * field is shown in the dialog.
 */
export function setFieldErrors<Values extends FieldValues>(form: UseFormReturn<Values>, thrown: unknown): boolean {
  if (!(thrown instanceof RequestFailed)) return false;
  const errors = Object.entries(thrown.fields);
  for (const [field, message] of errors) form.setError(field as Path<Values>, { type: 'server', message });
  const first = errors[0]?.[0];
  // The dialog restores the focus as it closes; only then can it move to the field.
  if (first !== undefined) setTimeout(() => form.setFocus(first as Path<Values>), 200);
  return errors.length > 0;
}
