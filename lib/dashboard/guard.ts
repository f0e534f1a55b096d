/**
 * What stands before every address of the dashboard's data: where the request comes from, who sends it, and whether that
 * person may. A row names the right that it asks for, so that no address is without a policy.
 */

import { authenticate, isConfirmed, may, merchantOf, type Right, type Session, type Viewer } from '../auth';
import { env } from '../config';
import { ApiError } from '../core/errors';
import { isUuid } from '../core/ids';
import { now } from '../db/clock';
import { isStorable, type Route, readBytes, textOf } from '../http';
import type { Failure } from './contract';
import { DashboardError, IdentityUnconfirmed } from './errors';
import { readZone } from './lists/query';

const smallBytesMax = 16 * 1024;
const noStore = { 'cache-control': 'no-store' };

export type DashboardRequest = {
  viewer: Viewer;
  session: Session;
  /**
   * The merchant to whose rows the answer is confined: the person's own, or the one that somebody who looks after all of
   * them has picked. Null only for those, and only while they have picked nobody.
   */
  scope: string | null;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The JSON of a POST. */
  body: unknown;
  /** The time zone of the person's browser. */
  zone: string;
  now: Date;
};

/** The cookie that holds the merchant which an administrator or account manager has picked. */
export const scopeCookie = 'florin_merchant';

/** The merchant to whose rows a person is confined, by role first and by choice second. */
export function merchantScope(viewer: Viewer, headers: Headers): string | null {
  const own = merchantOf(viewer);
  if (own !== null) return own;
  const picked = cookieOf(headers, scopeCookie) ?? '';
  return isUuid(picked) ? picked : null;
}

/** A row of the dashboard's table. `run` answers what is sent as JSON, a whole answer (a file), or null for
 * what this person cannot find.
 */
export type GuardedRoute = {
  method: 'GET' | 'POST';
  path: string;
  right: Right;
  /** Only for somebody who has proved who they are within the last minutes; anybody else is told to. */
  confirmed?: true;
  /** Also for somebody who has given the password and has to set up a second factor before anything else. */
  enrolling?: true;
  /** How large the body of a POST may be; 16 KB when absent. */
  bodyBytesMax?: number;
  run: (asked: DashboardRequest) => Promise<object | null>;
};

/** The row as the table of routes takes it. */
export function guarded({ method, path, right, confirmed, enrolling, bodyBytesMax, run }: GuardedRoute): Route {
  const answer: Route['run'] = async (request, params) => {
    if (method === 'POST' && !isOwnOrigin(request)) return errorResponse(403, 'The request comes from another site.');
    const asking = await authenticate(request.headers, { renew: true });
    const { session, setCookie } = asking;
    const viewer = asking.viewer ?? (enrolling ? asking.enrolling : null);
    if (!viewer || !session) {
      const refused = asking.enrolling
        ? errorResponse(403, 'Set up your second factor first.')
        : errorResponse(401, 'The session has ended. Sign in again.');
      return withCookies(refused, setCookie);
    }
    if (!may(viewer.role, right)) return withCookies(errorResponse(403, 'Your role does not allow this.'), setCookie);
    if (confirmed && !asking.enrolling && !isConfirmed(session.confirmedAt, new Date())) {
      return withCookies(confirmationRequired(), setCookie);
    }
    const asked = await readRequest(request, params, { viewer, session, bodyBytesMax });
    const response = asked instanceof Response ? asked : await runRoute(run, asked);
    return withCookies(response, setCookie);
  };
  return { method, path, run: answer };
}

// The mark tells the page's script to ask for the proof and to try again.
function confirmationRequired(): Response {
  const failure: Failure = { error: { message: 'Confirm that it is you.', confirm: true } };
  return jsonResponse(403, failure);
}

async function readRequest(
  request: Request,
  params: Record<string, string>,
  { viewer, session, bodyBytesMax }: { viewer: Viewer; session: Session; bodyBytesMax?: number },
): Promise<DashboardRequest | Response> {
  const body = request.method === 'POST' ? await readJson(request, bodyBytesMax).catch(asDashboardError) : null;
  if (body instanceof DashboardError) return errorResponse(body.status, body.message, body.fields);
  if (body === undefined) return errorResponse(400, 'The request is not valid.');
  const query = new URL(request.url).searchParams;
  const zone = readZone(cookieOf(request.headers, 'florin_zone'));
  return { viewer, session, scope: merchantScope(viewer, request.headers), params, query, body, zone, now: now() };
}

async function runRoute(run: GuardedRoute['run'], asked: DashboardRequest): Promise<Response> {
  try {
    const answered = await run(asked);
    if (answered === null) return errorResponse(404, 'There is nothing at this address.');
    return answered instanceof Response ? answered : jsonResponse(200, answered);
  } catch (thrown) {
    if (thrown instanceof IdentityUnconfirmed) return confirmationRequired();
    if (thrown instanceof DashboardError) return errorResponse(thrown.status, thrown.message, thrown.fields);
    throw thrown;
  }
}

/** A refused request's answer. */
export function errorResponse(status: number, message: string, fields?: Record<string, string>): Response {
  const failure: Failure = { error: { message, ...(fields && { fields }) } };
  return jsonResponse(status, failure);
}

/** An answer that nobody keeps. */
export function jsonResponse(status: number, body: object, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers: { ...noStore, ...headers } });
}

/** The same answer with cookies. */
export function withCookies(response: Response, cookies: string[]): Response {
  for (const cookie of cookies) response.headers.append('set-cookie', cookie);
  return response;
}

/**
 * Whether a page of ours sends the request. Browsers say so themselves; the Origin is for those that do not, and is the
 * public address or the host that was asked for, since a sandbox is reached under several names.
 */
export function isOwnOrigin(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  if (origin === null || !URL.canParse(origin)) return false;
  return origin === env.baseUrl || new URL(origin).host === request.headers.get('host');
}

/** JSON of a POST; undefined for anything else. Throws a fault that names the text which the database could not hold. */
async function readJson(request: Request, bytesMax?: number): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(await readText(request, bytesMax), storable);
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof ApiError) return undefined;
    throw thrown;
  }
}

function storable(name: string, value: unknown): unknown {
  if (!isStorable(name)) throw new SyntaxError('a name that nothing can be stored under');
  if (typeof value !== 'string' || isStorable(value)) return value;
  throw new DashboardError(400, unstorable, { [name]: unstorable });
}

const unstorable = 'The text holds a sign that cannot be kept: a NUL, or half of another sign.';

function asDashboardError(thrown: unknown): DashboardError {
  if (thrown instanceof DashboardError) return thrown;
  throw thrown;
}

/** Whether a browser sends a form by itself, without the page's script. */
export function isFormPost(request: Request): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}

/** What a POST gives, as a form or as JSON; undefined for anything else. */
export async function readBody(request: Request): Promise<unknown> {
  if (!isFormPost(request)) return readJson(request).catch((thrown) => void asDashboardError(thrown));
  try {
    const fields = [...new URLSearchParams(await readText(request))];
    return fields.flat().every(isStorable) ? Object.fromEntries(fields) : undefined;
  } catch (thrown) {
    if (thrown instanceof ApiError) return undefined;
    throw thrown;
  }
}

/** Leads a browser on after a form. */
export function redirect(location: string): Response {
  return new Response(null, { status: 303, headers: { location, ...noStore } });
}

/** The text of a small body; throws a refusal for a large one. */
async function readText(request: Request, bytesMax: number = smallBytesMax): Promise<string> {
  return textOf(await readBytes(request, bytesMax));
}

/** The value of a cookie. */
export function cookieOf(headers: Headers, name: string): string | undefined {
  for (const pair of (headers.get('cookie') ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=');
    if (key === name) {
      try {
        return decodeURIComponent(value);
      } catch {
        return undefined;
      }
    }
  }
  return undefined;
}
