// Requests to the demo shop's server, read within limits, and its error responses.
import type { z } from 'zod';
import { type HttpResult, httpResult, isHttpResult, jsonResult, readBytes, textOf } from '../../http';

const formBytesMax = 4 * 1024;
const noStore = { 'cache-control': 'no-store' };

/** `errors`: one sentence per form field. `error`: an error of the whole request, or Florin's message. */
type Failure = { errors?: Record<string, string>; error?: { code: string; message: string } };

export const fail = (status: number, failure: Failure) => jsonResult(failure, { status, headers: noStore });
export const generalError = (message: string): Failure => ({ error: { code: '', message } });
export const tooManyOrders = () =>
  fail(429, generalError('The demo shop has too many orders at the moment. Try again in a minute.'));
export const answer = (body: object, status = 200) => jsonResult(body, { status, headers: noStore });

const tooLarge = () => fail(413, generalError('The body is too large.'));

/** Redirects a browser. */
export const redirectTo = (location: string) =>
  httpResult(null, { status: 303, headers: { location, 'referrer-policy': 'no-referrer', ...noStore } });

/** The response to an invalid form: the first error of each field. */
function fieldErrors(issues: readonly { path: PropertyKey[]; message: string }[]): HttpResult {
  const errors: Record<string, string> = {};
  for (const { path, message } of issues) errors[String(path[0] ?? '')] ??= message;
  return fail(400, { errors });
}

/** The media type without parameters. */
function typeOf(request: Request): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether the request is a form of a browser without script. */
export const isForm = (request: Request): boolean => typeOf(request) === 'application/x-www-form-urlencoded';

/** The fields of a form, or the error response. Names in `checks` are checkboxes. */
export async function formOf(
  request: Request,
  checks: readonly string[] = [],
): Promise<Record<string, unknown> | HttpResult> {
  // Rejects forms of other sites.
  if (request.headers.get('sec-fetch-site') === 'cross-site')
    return fail(403, generalError('Use the form of this shop.'));
  const bytes = await readBytes(request, formBytesMax).catch(() => null);
  if (!bytes) return tooLarge();
  const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(bytes)));
  return { ...form, ...Object.fromEntries(checks.map((name) => [name, name in form])) };
}

/** The body as an object, or the error response. JSON only, so that no foreign form can send it. */
export async function jsonOf(request: Request): Promise<Record<string, unknown> | HttpResult> {
  if (typeOf(request) !== 'application/json') return fail(415, generalError('Send application/json.'));
  const bytes = await readBytes(request, formBytesMax).catch(() => null);
  if (!bytes) return tooLarge();
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The next line answers it, like JSON that is not an object.
  }
  return fail(400, generalError('The body is not a JSON object.'));
}

/** The body of a form or of JSON by a schema, or the error response. */
export async function readBody<Output>(
  request: Request,
  schema: z.ZodType<Output>,
  checks: readonly string[] = [],
): Promise<{ data: Output } | HttpResult> {
  const body = isForm(request) ? await formOf(request, checks) : await jsonOf(request);
  if (isHttpResult(body)) return body;
  const { data, error } = schema.safeParse(body);
  return error ? fieldErrors(error.issues) : { data: data as Output };
}
