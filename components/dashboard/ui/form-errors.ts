// Shows a refused request in a form: errors at their fields, and as a text those whose field is not on the page.
import type { FieldValues, Path, UseFormReturn } from 'react-hook-form';
import { errorText, RequestFailed } from './request';

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
  const rows = rowNames();
  const isShown = (field: string) => rows.some((row) => field === row || field.startsWith(`${row}.`));
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

/** The fields on the page, by the rows of the form. */
function rowNames(): string[] {
  return [...document.querySelectorAll<HTMLElement>('[data-field]')].map(({ dataset }) => dataset.field ?? '');
}
