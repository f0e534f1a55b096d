/** Reads a schedule's plan from a form, with a sentence for each invalid field. */
import { fieldErrorTexts } from '../../core/errors';
import { planSchema } from '../../protocols';
import { DashboardError } from '../errors';

/** Reads a whole plan by the contract's names; a {@link DashboardError} with 400 names the invalid fields. */
export function readPlan(body: unknown) {
  const parsed = planSchema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= sentenceOf(path.join('.'), message);
  throw new DashboardError(400, 'The plan is not valid.', fields);
}

// The contract's texts are short; the form's texts also say what to enter.
function sentenceOf(field: string, text: string): string {
  if (text === fieldErrorTexts.blank)
    return field === 'name' ? 'Enter a name of up to 100 characters.' : 'Enter a value.';
  if (text === fieldErrorTexts.positive) return 'Enter a whole number above 0.';
  return hints[field] ?? 'Choose one of the values.';
}

const hints: Record<string, string> = {
  name: 'Enter a name of up to 100 characters.',
  interval_length: 'Enter a whole number from 1 to 9999.',
  payments_count: 'Enter a whole number from 1 to 9999 with which the schedule ends within 1,000 years.',
  day_of_month: 'Enter a day from 1 to 31, and only with months.',
  first_payment_interval_length: 'Enter a whole number from 1 to 9999.',
  first_payment_day_of_month: 'Enter a day from 1 to 31.',
};
