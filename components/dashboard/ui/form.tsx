'use client';
// Form rows: label left, control right, help below. A row gives its control the ids of label, help and error for screen
// readers, and reads the field's error and change from the form.
import clsx from 'clsx';
import { createContext, type ReactNode, useContext, useEffect, useId, useMemo, useState } from 'react';
import { type FieldValues, get, type Path, type UseFormReturn, useFormContext } from 'react-hook-form';
import { ErrorIcon } from '../../ui/icons.tsx';
import { errorText, RequestFailed } from './request.ts';

/** The props that a control gets from its row. */
export type RowIds = { id: string; describedBy: string | undefined; invalid: boolean; labelId: string };

const Row = createContext<RowIds | null>(null);

/** The ids of the row around a control; null outside of a row. */
export function useRow(): RowIds | null {
  return useContext(Row);
}

/** The changed fields of a SettingsForm, for its rows. */
export const ChangedFields = createContext<ReadonlySet<string> | null>(null);

/** The rows that are shown now, each with the control of its form. */
const shownRows = new Set<{ name: string; control: unknown }>();

type RowProps = {
  label: ReactNode;
  /** The field's name in the form; dots separate nested names. */
  name: string;
  help?: ReactNode;
  error?: string;
  /** The label is above the control, for narrow places such as dialogs. */
  stacked?: boolean;
  /** Several controls under one label, read as a group. */
  group?: boolean;
  children: ReactNode | ((ids: RowIds) => ReactNode);
};

export function FormRow({ label, name, help, error, stacked = false, group = false, children }: RowProps) {
  const id = useId();
  const form = useFormContext();
  const changed = useContext(ChangedFields);
  const control = form?.control;
  useEffect(() => {
    const row = { name, control };
    shownRows.add(row);
    return () => void shownRows.delete(row);
  }, [name, control]);
  const message = error ?? messageOf(form ? get(form.formState.errors, name) : undefined);
  const isChanged = changed !== null && holds(changed, name);
  const describedBy = clsx(help && `${id}-help`, message && `${id}-fault`) || undefined;
  const labelId = `${id}-label`;
  const invalid = message !== undefined;
  const ids = useMemo(() => ({ id, describedBy, invalid, labelId }), [id, describedBy, invalid, labelId]);
  const Label = group ? 'span' : 'label';
  return (
    <div
      {...(group ? { role: 'group', 'aria-labelledby': labelId, 'aria-describedby': describedBy } : {})}
      className={clsx(
        'grid content-start gap-x-3',
        stacked ? 'gap-y-1.5' : 'gap-y-1.5 md:grid-cols-[176px_minmax(0,528px)]',
      )}
    >
      <div className={clsx('relative', stacked ? '' : 'md:pt-1.5')}>
        {isChanged ? (
          <span
            aria-hidden="true"
            className={clsx(
              'absolute -left-3 size-1.5 rounded-full bg-accent',
              stacked ? 'top-[7px]' : 'top-[7px] md:top-[13px]',
            )}
          />
        ) : null}
        <Label id={labelId} {...(group ? {} : { htmlFor: id })} className="font-medium">
          {label}
        </Label>
        {isChanged ? <span className="unseen">, changed</span> : null}
      </div>
      <div className="min-w-0">
        <Row value={ids}>{typeof children === 'function' ? children(ids) : children}</Row>
        {help ? (
          <p id={`${id}-help`} className="mt-1.5 text-xs text-ink3">
            {help}
          </p>
        ) : null}
        {message ? (
          <p id={`${id}-fault`} className="mt-1.5 flex gap-1.5 text-xs text-bad [&>svg]:mt-px">
            <ErrorIcon />
            {message}
          </p>
        ) : null}
      </div>
    </div>
  );
}

/** The first message of a react-hook-form error, which for a list may be at one of its entries. */
function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string' && error.message !== '') return error.message;
  if ('root' in error) return messageOf(error.root);
  return Array.isArray(error) ? error.map(messageOf).find((text) => text !== undefined) : undefined;
}

/** Whether a field, or a part of it, is in a set of changed fields. */
export function holds(changed: ReadonlySet<string>, name: string): boolean {
  return changed.has(name) || [...changed].some((field) => field.startsWith(`${name}.`));
}

/**
 * Shows the errors of a refused request at their fields and focuses the first. Returns the rest as one text: an error
 * without a field, or of a field that the form does not show now. Null if every error is shown.
 */
export function showErrors<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  thrown: unknown,
  labels: Readonly<Record<string, string>> = {},
): string | null {
  const errors = thrown instanceof RequestFailed ? Object.entries(thrown.fields) : [];
  if (errors.length === 0) return errorText(thrown);
  const rows = [...shownRows].filter(({ control }) => control === form.control);
  const isShown = (field: string) => rows.some(({ name }) => field === name || field.startsWith(`${name}.`));
  const shown = errors.filter(([field]) => isShown(field));
  for (const [field, message] of shown) {
    const name = field as Path<Values>;
    // The page's own rule knows the text as entered.
    if (!form.getFieldState(name).error) form.setError(name, { type: 'server', message });
  }
  const first = shown[0]?.[0];
  // A dialog restores the focus as it closes; only then can it move to the field.
  if (first !== undefined) setTimeout(() => form.setFocus(first as Path<Values>), 200);
  const hidden = errors.filter(([field]) => !isShown(field));
  return hidden.length === 0 ? null : hidden.map(([field, text]) => `${labels[field] ?? field}: ${text}`).join(' ');
}

/** Sends a form: the errors of a refused request are shown at their fields, and the rest is the `error`. */
export function useSubmit<Values extends FieldValues>(
  form: UseFormReturn<Values>,
  onSend: (values: Values) => Promise<unknown>,
  labels?: Readonly<Record<string, string>>,
) {
  const [error, setError] = useState<string | null>(null);
  const { isSubmitting: busy } = form.formState;
  const send = form.handleSubmit(async (values) => {
    setError(null);
    try {
      await onSend(values);
    } catch (thrown) {
      setError(showErrors(form, thrown, labels));
    }
  });
  const submit = () => {
    if (busy) return;
    // A server error at a field without rules would block the form until it is cleared.
    form.clearErrors();
    void send();
  };
  return { error, busy, submit };
}
