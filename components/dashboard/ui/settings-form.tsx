'use client';
// A settings page: local navigation with change dots on the left, the form, and a save bar that appears with the first
// change and lists every change.
import { type ReactNode, useMemo, useState } from 'react';
import { type FieldValues, FormProvider, useWatch } from 'react-hook-form';
import { Button } from './button';
import { ChangeList } from './change-list';
import { type ChangeLabels, changesOf, type FieldChange } from './changes';
import { ConflictNote, useConflict } from './conflict';
import { readSections, type Section, Sections } from './described';
import { ConfirmDialog } from './dialog';
import { SettingsContext } from './form';
import { showErrors } from './form-errors';
import { LeaveGuard } from './leave-guard';
import { LocalNav } from './local-nav';
import { Note } from './parts';
import { useShortcuts } from './shortcuts';
import { useToast } from './toast';
import type { Settings } from './use-settings';

type Props<Values extends FieldValues> = {
  settings: Pick<Settings<unknown, Values>, 'form' | 'save' | 'check' | 'reload'>;
  sections: readonly Section<Values>[];
  /** Texts of the list of changes for fields that the sections draw themselves. */
  words?: ChangeLabels;
  /** Notes above the sections. */
  children?: ReactNode;
  /** The effect of saving in a few words: `Takes effect immediately for payments`. */
  effect: string;
  /** The text of the toast afterwards. */
  saved?: string;
  /** Read-only, with the plural of the object: no save bar, and every control is disabled. */
  readOnly?: string | false;
};

export function SettingsForm<Values extends FieldValues>(props: Props<Values>) {
  const { sections, children, settings, readOnly = false } = props;
  const { form } = settings;
  const described = useMemo(() => readSections(sections), [sections]);
  const changes = useChanges(props, described.words);
  const changed = useMemo(() => new Set(changes.map(({ field }) => field)), [changes]);
  const context = useMemo(() => ({ changed }), [changed]);
  const review = useReview(props, described.words.labels);
  const submit = () => (changes.length > 0 && !readOnly ? void review.open() : undefined);
  useShortcuts({ 'ctrl+s': submit }, { on: !readOnly });
  const changedSections = sections.filter(({ fields = [], id, marks = [id] }) =>
    [...fields.map(({ name }) => name), ...marks].some((name) => holds(changed, name)),
  );
  return (
    <FormProvider {...form}>
      <SettingsContext value={context}>
        <div className="flex flex-1 flex-col lg:flex-row">
          <LocalNav sections={described.sections} changed={changedSections.map(({ id }) => id)} />
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              submit();
            }}
            className="min-w-0 max-w-[820px] flex-1 px-gutter pb-10 lg:px-[39px]"
          >
            {readOnly ? <TopNote>You have read-only access. Account managers can change {readOnly}.</TopNote> : null}
            {children}
            <fieldset disabled={readOnly !== false} className="min-w-0">
              <Sections of={sections} />
            </fieldset>
          </form>
        </div>
        {changes.length > 0 && !readOnly ? (
          <SaveBar {...props} changes={changes} review={review} discard={() => form.reset()} />
        ) : null}
        <Review {...props} changes={changes} review={review} />
        <LeaveGuard on={changes.length > 0 && !readOnly} />
      </SettingsContext>
    </FormProvider>
  );
}

/** A note above the sections of a form. */
export function TopNote({ children, tone }: { children: ReactNode; tone?: 'warn' }) {
  return (
    <div className="pt-[18px]">
      <Note tone={tone}>{children}</Note>
    </div>
  );
}

function holds(changed: ReadonlySet<string>, field: string): boolean {
  return changed.has(field) || [...changed].some((each) => each.startsWith(`${field}.`));
}

function useChanges<Values extends FieldValues>(
  { settings: { form }, words }: Props<Values>,
  described: Required<ChangeLabels>,
): FieldChange[] {
  const values = useWatch({ control: form.control });
  const { defaultValues } = form.formState;
  return useMemo(() => {
    const { labels, show, secrets } = words ?? { labels: {} };
    return changesOf(defaultValues ?? {}, values, {
      labels: { ...described.labels, ...labels },
      show: { ...described.show, ...show },
      secrets: [...described.secrets, ...(secrets ?? [])],
    });
  }, [defaultValues, values, words, described]);
}

/** The review before saving: the server checks the values first, so that its errors come before the confirmation. */
function useReview<Values extends FieldValues>({ settings, words }: Props<Values>, labels: Record<string, string>) {
  const { form, check, save } = settings;
  const [opened, setOpened] = useState<{ warnings: string[] } | null>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);
  const conflict = useConflict();
  const all = { ...labels, ...words?.labels };
  const failed = (thrown: unknown) => {
    if (!conflict.take(thrown)) setError(showErrors(form, thrown, all));
  };
  const open = async () => {
    if (busy) return;
    setBusy(true);
    setError(null);
    conflict.clear();
    // An error at a field without rules would block the form until it is cleared.
    form.clearErrors();
    try {
      // Rules of the page and of the server are reported together.
      const valid = await form.trigger(undefined, { shouldFocus: true });
      const warnings = (await check?.(form.getValues())) ?? [];
      if (valid) setOpened({ warnings });
    } catch (thrown) {
      failed(thrown);
    }
    setBusy(false);
  };
  return {
    ...{ opened, busy, error, conflict, labels: all, open, close: () => setOpened(null) },
    /** Saves; returns whether it is done. */
    save: () =>
      save(form.getValues()).then(
        () => true,
        (thrown) => {
          failed(thrown);
          return false;
        },
      ),
    reload: async () => {
      await settings.reload().then(conflict.clear, failed);
    },
  };
}

type ReviewState = ReturnType<typeof useReview>;

const countText = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

type BarProps = { changes: FieldChange[]; effect: string; discard: () => void; review: ReviewState };

function SaveBar({ changes, effect, discard, review }: BarProps) {
  const { error, conflict, busy } = review;
  return (
    <section
      aria-label="Changes"
      className="sticky bottom-0 z-3 mt-auto flex flex-wrap items-center gap-x-6 gap-y-2 border-t border-line bg-bg px-gutter py-2.5 shadow-over phone:bottom-14"
    >
      <ConflictNote conflict={conflict} labels={review.labels} reload={review.reload} />
      {error ? (
        <Note tone="bad" role="alert" className="basis-full">
          {error}
        </Note>
      ) : null}
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
        <Button
          kind="primary"
          keys="Ctrl S"
          busy={busy}
          disabled={conflict.found !== null}
          onClick={() => void review.open()}
        >
          Review and save
        </Button>
      </div>
    </section>
  );
}

type ReviewProps = { changes: FieldChange[]; review: ReviewState; effect: string; saved?: string };

function Review({ changes, review, effect, saved = 'Saved.' }: ReviewProps) {
  const toast = useToast();
  return (
    <ConfirmDialog
      open={review.opened !== null}
      onClose={review.close}
      title={`Save ${countText(changes.length)}`}
      verb={`Save ${countText(changes.length)}`}
      onConfirm={async () => {
        if (await review.save()) toast(saved);
      }}
    >
      <ChangeList changes={changes} />
      {review.opened?.warnings.map((warning) => (
        <Note key={warning} tone="warn">
          {warning}
        </Note>
      ))}
      <p className="text-xs text-ink3">{effect}.</p>
    </ConfirmDialog>
  );
}
