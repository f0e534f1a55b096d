// From what a schema finds to what the contract answers: a list of faulty fields, and in front of it the one message
// that clients compare. Kept apart from the tables so that every protocol words its faults alike.
import type { z } from 'zod';
import { ApiError, type ErrorKey, errors, type FieldError, fieldErrorTexts } from '../core/errors';

const knownMessages = new Set<string>([
  ...Object.values(fieldErrorTexts),
  ...Object.values(errors).map((row) => row.message),
]);

/** The faults of a parse in the order of the schema, each once. Positions in lists are left out of the path. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  const faults = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const path = issue.path.filter((part) => typeof part === 'string').join('.');
    const text = knownMessages.has(issue.message) ? issue.message : fieldErrorTexts.notValid;
    // A second fault of the same field would only repeat that it is wrong.
    if (!faults.has(path)) faults.set(path, { path, text });
  }
  return [...faults.values()];
}

const messages = new Map<string, ErrorKey>();
for (const key of Object.keys(errors) as ErrorKey[]) {
  if (errors[key].code === errors.requestDataInvalid.code) messages.set(errors[key].message, key);
}

/**
 * Refuses a request because of its fields. A single fault that the contract words as a row of its own is answered with
 * that row: by its text (`This is not a valid UUID.`), or by the last name of its path and its text
 * (`order.amount` or `order_amount` with `amount: This value should be greater than 0.`).
 */
export function throwValidationError(faults: FieldError[]): never {
  const [only, ...others] = faults;
  let key: ErrorKey | undefined;
  if (only && others.length === 0) {
    const name = only.path.slice(only.path.lastIndexOf('.') + 1);
    // The form protocols and the flat requests call an order's amount order_amount.
    const names = [name, name.replace(/^order_/, '')];
    key = [only.text, ...names.map((each) => `${each}: ${only.text}`)].map((line) => messages.get(line)).find(Boolean);
  }
  throw new ApiError(key ?? 'requestDataInvalid', faults);
}
