'use client';
// A settings page: a form with a save bar that appears with the first change and lists every change.
import { type ReactNode, useMemo, useState } from 'react';
import { type FieldValues, useWatch } from 'react-hook-form';
import { Actions } from './actions.tsx';
import { type ChangeLabels, ChangeList, ConflictNote, changesOf, type FieldChange, useConflict } from './changes.tsx';
import { readSections, type Section, Sections } from './described.tsx';
import { holds, SettingsContext, showErrors } from './form.tsx';
import { ConfirmDialog } from './form-dialog.tsx';
import { FormBar, FormPage } from './form-page.tsx';
import { ErrorNote, Note } from './parts.tsx';
import { useToast } from './toast.tsx';
import { useAction } from './use-action.tsx';
import type { Settings } from './use-settings.ts';

type Props<Values extends FieldValues> = {
  settings: Pick<Settings<unknown, Values>, 'form' | 'save' | 'check' | 'reload'>;
  sections: readonly Section<Values>[];
  /** Texts of the list of changes for fields that the sections draw themselves. */
  words?: ChangeLabels;
  children?: ReactNode;
  /** The effect of saving in a few words: `Takes effect immediately for payments`. */
  effect: string;
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
  const changedSections = sections.filter(({ fields = [], id, marks = [id] }) =>
    [...fields.map(({ name }) => name), ...marks].some((name) => holds(changed, name)),
  );
  const unsaved = changes.length > 0 && !readOnly;
  return (
    <SettingsContext value={context}>
      <FormPage
        form={form}
        sections={described.sections}
        changed={changedSections.map(({ id }) => id)}
        unsaved={unsaved}
        submit={readOnly ? undefined : () => (changes.length > 0 ? void review.open() : undefined)}
        bar={
          <>
            {unsaved ? <SaveBar {...props} changes={changes} review={review} discard={() => form.reset()} /> : null}
            <Review {...props} changes={changes} review={review} />
          </>
        }
      >
        {readOnly ? <TopNote>You have read-only access. Account managers can change {readOnly}.</TopNote> : null}
        {children}
        <fieldset disabled={readOnly !== false} className="min-w-0">
          <Sections of={sections} />
        </fieldset>
      </FormPage>
    </SettingsContext>
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
  const conflict = useConflict();
  const all = { ...labels, ...words?.labels };
  const { run, busy, error } = useAction((thrown) => (conflict.take(thrown) ? null : showErrors(form, thrown, all)));
  const open = () =>
    run(async () => {
      conflict.clear();
      // An error at a field without rules would block the form until it is cleared.
      form.clearErrors();
      // Rules of the page and of the server are reported together.
      const valid = await form.trigger(undefined, { shouldFocus: true });
      const warnings = (await check?.(form.getValues())) ?? [];
      if (valid) setOpened({ warnings });
    }, 'review');
  return {
    opened,
    busy,
    error,
    conflict,
    labels: all,
    open,
    close: () => setOpened(null),
    /** Saves; returns whether it is done. */
    save: () => run(() => save(form.getValues()), 'save'),
    reload: () => run(() => settings.reload().then(conflict.clear), 'reload'),
  };
}

type ReviewState = ReturnType<typeof useReview>;

const countText = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;

type BarProps = { changes: FieldChange[]; effect: string; discard: () => void; review: ReviewState };

function SaveBar({ changes, effect, discard, review }: BarProps) {
  const { error, conflict, busy } = review;
  return (
    <FormBar
      label="Changes"
      buttons={
        <Actions
          of={[
            { text: 'Discard', kind: 'bare', onClick: discard },
            {
              text: 'Review and save',
              kind: 'primary',
              keys: 'Ctrl S',
              busy: busy === 'review',
              disabled: conflict.found !== null,
              onClick: () => void review.open(),
            },
          ]}
        />
      }
    >
      <ConflictNote conflict={conflict} labels={review.labels} busy={busy === 'reload'} reload={review.reload} />
      <ErrorNote text={error} className="basis-full" />
      <div>
        <p className="font-semibold" aria-live="polite">
          {countText(changes.length)}, not saved
        </p>
        <p className="text-xs text-ink3">{effect}</p>
      </div>
      <div className="max-h-[92px] min-w-0 flex-1 overflow-y-auto text-xs phone:hidden">
        <ChangeList changes={changes} />
      </div>
    </FormBar>
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
