// Builds the ids of the rows of the table of errors. Of several errors with one code, the first has the code alone as
// its id; the ids of the others also contain their name.
import { type ErrorKey, errors } from '../core/errors.ts';

/** `error-204005`, or `error-100000-duplicate-payment` for a further error with the code. */
export function errorAnchor(key: string): string {
  const { code } = errors[key as ErrorKey];
  const [first] = Object.entries(errors).find(([, row]) => row.code === code) ?? [];
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return first === key ? `error-${code}` : `error-${code}-${name}`;
}
