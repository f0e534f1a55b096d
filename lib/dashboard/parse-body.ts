/** Reads the body of a request with a schema and reports errors by field. */
import type { z } from 'zod';
import { DashboardError } from './errors';

/** The body as the schema reads it. Throws a {@link DashboardError} with a sentence for each invalid field. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const fields = parsed.error.issues.map(({ path, message }) => [path.join('.'), message] as const);
  throw new DashboardError(400, 'The request is not valid.', Object.fromEntries(fields));
}
