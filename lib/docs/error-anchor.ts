// The ids of the rows of the table of errors. Several errors share a code: the first has the code alone as its id, the others
// their name as well.
import { type ErrorKey, errors } from '../core/errors';

/** `error-204005`; `error-100000-duplicate-payment` where the code is not the error's alone. */
export function errorAnchor(key: string): string {
  const { code } = errors[key as ErrorKey];
  const [first] = Object.entries(errors).find(([, row]) => row.code === code) ?? [];
  const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return first === key ? `error-${code}` : `error-${code}-${name}`;
}
