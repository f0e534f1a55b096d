/** Shared parts of the schemas that read forms. */
import { z } from 'zod';

// PostgreSQL cannot store NUL or half a surrogate pair, and no name needs control characters.
const plain = /^[^\p{Cc}\p{Surrogate}]*$/u;

/** A line of text, trimmed, with at most `most` characters; may be empty. */
export function textLine(most: number) {
  return z
    .string('Enter text.')
    .trim()
    .max(most, `Enter at most ${most} characters.`)
    .regex(plain, 'Enter one line of text without control characters.');
}

/** The version of the row when the form was opened. */
export const versionField = z.int('The version is missing.').min(0);
