/** The plan of a schedule as a form gives it, with a sentence for each field at fault. */
import { fieldErrorTexts } from '../../core/errors';
import { planSchema } from '../../protocols';
import { DashboardError } from '../errors';

/** Reads a whole plan by the contract's names; a {@link DashboardError} with 400 names the fields that are not valid. */
export function readPlan(body: unknown) {
  const parsed = planSchema.safeParse(body ?? {});
  if (parsed.success) return parsed.data;
  const fields: Record<string, string> = {};
  for (const { path, message } of parsed.error.issues) fields[path.join('.')] ??= sentenceOf(path.join('.'), message);
  throw new DashboardError(400, 'The plan is not valid.', fields);
}

// The contract's texts name no way out; a form has room for one.
function sentenceOf(field: string, text: string): string {
  if (text === fieldErrorTexts.blank)
    return field === 'name' ? 'Write a name of up to 100 characters.' : 'Fill this in.';
  if (text === fieldErrorTexts.positive) return 'Write a whole number above 0.';
  return hints[field] ?? 'Choose one of the values.';
}

const hints: Record<string, string> = {
  name: 'Write a name of up to 100 characters.',
  interval_length: 'Write a whole number from 1 to 9999.',
  payments_count: 'Write a whole number from 1 to 9999 with which the schedule ends within 1,000 years.',
  day_of_month: 'Write a day from 1 to 31, and only with months.',
  first_payment_interval_length: 'Write a whole number from 1 to 9999.',
  first_payment_day_of_month: 'Write a day from 1 to 31.',
};
