// Converts schema errors to the contract's error response: a list of field errors and the one message that clients
// compare. All protocols use the same texts.
import type { z } from 'zod';
import { ApiError, type ErrorKey, errors, type FieldError, fieldErrorTexts } from '../core/errors';

const knownMessages = new Set<string>([
  ...Object.values(fieldErrorTexts),
  ...Object.values(errors).map((row) => row.message),
]);

/** Returns the field errors of a parse in schema order, one per field. Paths contain no list positions. */
export function fieldErrorsOf(error: z.ZodError): FieldError[] {
  const fieldErrors = new Map<string, FieldError>();
  for (const issue of error.issues) {
    const path = issue.path.filter((part) => typeof part === 'string').join('.');
    const text = knownMessages.has(issue.message) ? issue.message : fieldErrorTexts.notValid;
    // One error per field is enough.
    if (!fieldErrors.has(path)) fieldErrors.set(path, { path, text });
  }
  return [...fieldErrors.values()];
}

const messages = new Map<string, ErrorKey>();
for (const key of Object.keys(errors) as ErrorKey[]) {
  if (errors[key].code === errors.requestDataInvalid.code) messages.set(errors[key].message, key);
}

/**
 * Throws the API error for field errors. If the contract has a message of its own for a single error, that one is used:
 * found by its text (`This is not a valid UUID.`), or by the last name of its path and its text (`order.amount` or
 * `order_amount` with `amount: This value should be greater than 0.`).
 */
export function throwValidationError(fieldErrors: FieldError[]): never {
  const [only, ...others] = fieldErrors;
  let key: ErrorKey | undefined;
  if (only && others.length === 0) {
    const name = only.path.slice(only.path.lastIndexOf('.') + 1);
    // The form protocols and flat requests name the amount order_amount.
    const names = [name, name.replace(/^order_/, '')];
    key = [only.text, ...names.map((each) => `${each}: ${only.text}`)].map((line) => messages.get(line)).find(Boolean);
  }
  throw new ApiError(key ?? 'requestDataInvalid', fieldErrors);
}
