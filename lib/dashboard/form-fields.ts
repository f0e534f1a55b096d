/** Parts of the schemas that read forms. */
import { z } from 'zod';

// The database has no place for NUL or for half a surrogate pair, and no name needs a control character.
const plain = /^[^\p{Cc}\p{Surrogate}]*$/u;

/** A line of text without blanks around it, up to `most` characters; may be empty. */
export function textLine(most: number) {
  return z
    .string('Write a text.')
    .trim()
    .max(most, `Write at most ${most} characters.`)
    .regex(plain, 'Write one line of text without control characters.');
}

/** The version that a form was opened on. */
export const versionField = z.int('The version is missing.').min(0);

/** What somebody is told whose form has been overtaken. */
export const conflictMessage = (what: string) => `${what} has changed meanwhile. Load the page again and decide anew.`;
