'use client';
// A settings page: a form with a save bar that appears with the first change and lists every change.
import { type ReactNode, useMemo, useState } from 'react';
import { type DefaultValues, type FieldValues, useForm, useWatch } from 'react-hook-form';
import { Actions } from './button.tsx';
import { type ChangeLabels, ChangeList, ConflictNote, changesOf, type FieldChange, useConflict } from './changes.tsx';
import { readSections, type Section, Sections } from './described.tsx';
import { ChangedFields, holds, showErrors } from './form.tsx';
import { ConfirmDialog } from './form-dialog.tsx';
import { FormBar, FormPage } from './form-page.tsx';
import { ErrorNote, Note } from './parts.tsx';
import { request } from './request.ts';
import { useToast } from './toast.tsx';
import { useAction } from './use-action.tsx';

type Options<Page, Values> = {
  initial: Page;
  /** The path of the object: read, and written with the version. */
  path: string;
  valuesOf: (page: Page) => Values;
  toSend?: (values: Values, page: Page) => object;
  /** Whether the server checks a change before the user confirms it. */
  checks?: boolean;
  mode?: 'onSubmit' | 'onTouched';
};

/** The state of a settings page: the stored object, its form, saving over the version that the user saw, and reloading. */
export function useSettings<Page extends { version: number }, Values extends FieldValues>(
  options: Options<Page, Values>,
) {
  const { initial, path, valuesOf, toSend = (values) => values, checks, mode } = options;
  const [page, setPage] = useState(initial);
  const form = useForm<Values>({ defaultValues: valuesOf(initial) as DefaultValues<Values>, mode });
  /** Shows an object as the server returned it; the form starts from it. */
  const take = (next: Page) => {
    setPage(next);
    form.reset(valuesOf(next));
  };
  const bodyOf = (values: Values) => ({ version: page.version, ...toSend(values, page) });
  /** Loads the stored object; the user's changes stay. */
  const reload = async () => {
    const next = await request<Page>(path);
    const mine = carryOver(valuesOf(page), form.getValues(), valuesOf(next));
    take(next);
    form.reset(mine, { keepDefaultValues: true });
  };
  const check = async (values: Values) => {
    const checked = await request<{ warnings?: string[] }>(`${path}?check=1`, { body: bodyOf(values), reads: true });
    return checked.warnings ?? [];
  };
  return {
    page,
    take,
    /** Shows an object of which another part was changed; the form stays. */
    put: setPage,
    form,
    reload,
    save: async (values: Values) => take(await request<Page>(path, { body: bodyOf(values) })),
    check: checks ? check : undefined,
  };
}

/** The `fresh` values with what `now` changed against `before`. Objects are compared member by member, lists whole. */
export function carryOver<Value>(before: Value, now: Value, fresh: Value): Value {
  if (!isObject(before) || !isObject(now) || !isObject(fresh)) {
    return JSON.stringify(before) === JSON.stringify(now) ? fresh : now;
  }
  const names = new Set([...Object.keys(fresh), ...Object.keys(now)]);
  const members = [...names].map((name) => [name, carryOver(before[name], now[name], fresh[name])]);
  return Object.fromEntries(members) as Value;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

type Props<Values extends FieldValues> = {
  settings: Omit<ReturnType<typeof useSettings<{ version: number }, Values>>, 'page' | 'take' | 'put'>;
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
  const review = useReview(props, described.words.labels);
  const changedSections = sections.filter(({ fields = [], id, marks = [id] }) =>
    [...fields.map(({ name }) => name), ...marks].some((name) => holds(changed, name)),
  );
  const unsaved = changes.length > 0 && !readOnly;
  return (
    <ChangedFields value={changed}>
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
    </ChangedFields>
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
