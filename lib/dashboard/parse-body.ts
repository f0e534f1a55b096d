/** Reads the body of a request with a schema and reports errors by field. */
import { z } from 'zod';
import { DashboardError } from './errors';

/**
 * The body as the schema reads it. Throws a {@link DashboardError} with a sentence for each invalid field. `further`
 * checks the rules over several fields although these fields `failed`, so that all errors are reported in one round.
 */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown, further?: (failed: string[]) => void): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  const failed = [...new Set(parsed.error.issues.map(({ path }) => String(path[0] ?? '')))];
  const others = further ? Object.entries(errorsOf(() => further(failed))) : [];
  const fields = [...others.filter(([field]) => !failed.includes(field.split('.')[0] ?? '')), ...issues];
  throw new DashboardError(400, 'The request is not valid.', Object.fromEntries(fields));
}

function errorsOf(check: () => void): Record<string, string> {
  try {
    check();
    return {};
  } catch (thrown) {
    if (thrown instanceof DashboardError) return thrown.fields ?? {};
    throw thrown;
  }
}

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
