// Requests to the demo shop's server: the visitor, a random name in a cookie that alone gives access to orders; bodies,
// read within limits; and the responses.
import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { env } from '../../config/index.ts';
import { fieldsShopUrl } from '../../core/demo-request.ts';
import {
  addCookies,
  cookieIn,
  cookieLine,
  cookieName,
  type HttpRequest,
  type HttpResult,
  httpResult,
  jsonResult,
  readBytes,
  textOf,
} from '../../http/index.ts';
import { answerOf, refuse } from '../routes.ts';

const formBytesMax = 4 * 1024;
const noStore = { 'cache-control': 'no-store' };

/** `errors`: one sentence per form field. `error`: an error of the whole request, or Florin's message. */
type Failure = { errors?: Record<string, string>; error?: { code: string; message: string } };

/** Rejects the request. */
export function fail(status: number, failure: Failure | string): never {
  const body = typeof failure === 'string' ? { error: { code: '', message: failure } } : failure;
  return refuse(jsonResult(body, { status, headers: noStore }));
}

export const answer = (body: object, status = 200) => jsonResult(body, { status, headers: noStore });

/** Redirects a browser. */
export const redirectTo = (location: string) =>
  httpResult(null, { status: 303, headers: { location, 'referrer-policy': 'no-referrer', ...noStore } });

function typeOf(request: HttpRequest): string {
  return (request.headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Whether the request is a form of a browser without script. */
export const isForm = (request: HttpRequest): boolean => typeOf(request) === 'application/x-www-form-urlencoded';

/** The fields of a form. Names in `checks` are checkboxes. */
export async function formOf(request: HttpRequest, checks: readonly string[] = []): Promise<Record<string, unknown>> {
  // Rejects forms of other sites.
  if (request.headers.get('sec-fetch-site') === 'cross-site') fail(403, 'Use the form of this shop.');
  const form = Object.fromEntries(new URLSearchParams(new TextDecoder().decode(await bytesOf(request))));
  return { ...form, ...Object.fromEntries(checks.map((name) => [name, name in form])) };
}

/** The body as an object. JSON only, so that no foreign form can send it. */
export async function jsonOf(request: HttpRequest): Promise<Record<string, unknown>> {
  if (typeOf(request) !== 'application/json') fail(415, 'Send application/json.');
  const bytes = await bytesOf(request);
  try {
    const value: unknown = JSON.parse(textOf(bytes));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // The next line answers it, like JSON that is not an object.
  }
  return fail(400, 'The body is not a JSON object.');
}

const bytesOf = (sent: HttpRequest) => readBytes(sent, formBytesMax).catch(() => fail(413, 'The body is too large.'));

/** The body of a form or of JSON by a schema. The rejection has the first error of each field. */
export async function readBody<Output>(
  request: HttpRequest,
  schema: z.ZodType<Output>,
  checks: readonly string[] = [],
): Promise<Output> {
  const body = isForm(request) ? await formOf(request, checks) : await jsonOf(request);
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const errors: Record<string, string> = {};
  for (const { path, message } of error.issues) errors[String(path[0] ?? '')] ??= message;
  return fail(400, { errors });
}

/** The shop's origin in the browser, and the browser's address. */
export type Visit = { origin: string; payerIp: string };

export const visitorCookie = () => cookieName('florin_shop');
/** As long as any order is kept. */
const keptDays = 10;

/** A visitor's name from the cookie; null for values that the shop has not issued. */
export function readVisitor(value: string | undefined): string | null {
  return value !== undefined && /^[\w-]{22}$/.test(value) ? value : null;
}

/** The visitor of this request; null without a cookie. */
export function visitorOf(request: HttpRequest): string | null {
  return readVisitor(cookieIn(request.headers, visitorCookie()));
}

/** Runs for the visitor of a request, and sets the cookie of a new one. */
export async function forVisitor(request: HttpRequest, run: (visitor: string) => Promise<HttpResult>) {
  const known = visitorOf(request);
  if (known) return run(known);
  const visitor = randomBytes(16).toString('base64url');
  const response = await answerOf(() => run(visitor));
  addCookies(response, [cookieLine(visitorCookie(), visitor, keptDays * 86_400)]);
  return response;
}

/** The shop's origin in the browser: a cookie belongs to one name, so that the payer must return to the same. */
export function originOf(request: HttpRequest): string {
  const other = new URL(fieldsShopUrl(env.baseUrl));
  return request.headers.get('host') === other.host ? other.origin : env.baseUrl;
}
