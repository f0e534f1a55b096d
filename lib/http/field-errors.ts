// From what a schema finds to what the contract answers: a list of faulty fields, and in front of it the one message
// that clients compare. Kept apart from the tables so that every protocol words its faults alike.
import type { z } from 'zod';
import { errors, type FieldError, fieldErrorTexts } from '../core/errors';

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
