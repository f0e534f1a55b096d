/** Reads the body of a request with a schema and reports errors by field. */
import type { z } from 'zod';
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
