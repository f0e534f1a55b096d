// Converts schema errors to the contract's error response: a list of field errors and the one message that clients
// compare. All protocols use the same texts.
import type { z } from 'zod';
import { errors, type FieldError, fieldErrorTexts } from '../core/errors';

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
