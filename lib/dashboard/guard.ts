/**
 * Checks every request for the dashboard's data: its origin, the user and the user's permissions. Each route names the
 * permission that it requires, so that no address is without a policy.
 */

import type { z } from 'zod';
import {
  authenticate,
  confirmationWays,
  isConfirmed,
  isSessionOf,
  may,
  merchantOf,
  type Right,
  type Session,
  unlockingWays,
  type Viewer,
} from '../auth/index.ts';
import { dashboardBaseUrl, env } from '../config/index.ts';
import { ApiError } from '../core/errors.ts';
import { isUuid } from '../core/ids.ts';
import { hasAtMost, repeatedName } from '../core/json.ts';
import { maskFreeText } from '../core/written-texts.ts';
import { now } from '../db/clock.ts';
import {
  addCookies,
  cookieIn,
  cookieName,
  type HttpRequest,
  type HttpResult,
  httpResult,
  isHttpResult,
  isStorable,
  jsonLimits,
  jsonResult,
  type Route,
  readBytes,
  textOf,
} from '../http/index.ts';
import { retryAfterForUser } from '../risk/index.ts';
import {
  busyMessage,
  DashboardError,
  type Details,
  type Failure,
  identityUnconfirmed,
  isNotFound,
  orNull,
  parseBody,
  tooMany,
} from './errors.ts';
import { readZone } from './lists/query.ts';
import { recordRefusedAccess, recordUnknownObject } from './refused-access.ts';
import { scanUploads, type UploadFields } from './uploads.ts';
import { inUserTurn } from './user-turns.ts';

const smallBytesMax = 16 * 1024;
const noStore = { 'cache-control': 'no-store' };

export type DashboardRequest = {
  viewer: Viewer;
  session: Session;
  /**
   * The merchant that limits the answer: the user's own, or the one that an administrator or account manager selected.
   * Null only for those roles while none is selected.
   */
  scope: string | null;
  params: Record<string, string>;
  query: URLSearchParams;
  body: unknown;
  /** The page only asks whether the change is valid: `?check=1`. Nothing is saved or logged. */
  checks: boolean;
  zone: string;
  /** The cookies of the answer. */
  setCookie: string[];
  now: Date;
};

/** Data as JSON: a time is an ISO text in UTC. */
export type Wire<T> = T extends Date ? string : T extends object ? { [Name in keyof T]: Wire<T[Name]> } : T;

/** What a page or an action gives, as JSON. */
export type Answer<Run extends (...given: never[]) => unknown> = Wire<NonNullable<Awaited<ReturnType<Run>>>>;

/** What the first rendering of a page has of a request, too. */
export type PageContext = Omit<DashboardRequest, 'body' | 'checks' | 'setCookie'>;

/** The header of a request that a page sends by itself, while nothing is typed or pressed. */
export const unattendedHeader = 'florin-unattended';

/** The cookie with the merchant that an administrator or account manager selected. */
const scopeCookie = 'florin_merchant';

/** The merchant that limits a user's rows: from the role first, then from the selection. */
export function merchantScope(viewer: Viewer, headers: Headers): string | null {
  const own = merchantOf(viewer);
  if (own !== null) return own;
  const picked = cookieOf(headers, scopeCookie) ?? '';
  return isUuid(picked) ? picked.toLowerCase() : null;
}

/** A route. `run` returns JSON, or a complete response (a file). */
export type GuardedRoute = {
  method: 'GET' | 'POST';
  path: string;
  right: Right;
  /**
   * Requires a proof of identity within the last minutes; other requests get 403 and the page asks for one. A schema
   * refuses an invalid body before that.
   */
  confirmed?: true | z.ZodType;
  /** Also allowed for a user who has given the password and must set up a second factor first. */
  enrolling?: true;
  /** Occupies the process for so long that a user has a few a minute. */
  costly?: true;
  /** The page can ask whether the change is valid (`?check=1`), which is not limited as a change. */
  checkable?: true;
  /** The maximum body size of a POST; 16 KB by default. */
  bodyBytesMax?: number;
  /** The maximum number of JSON values of a POST; that of Checkout by default. */
  valuesMax?: number;
  /** The members of the body that are files, which are scanned first. */
  files?: UploadFields;
  run: (request: DashboardRequest) => Promise<object>;
};

/** A row of the table of routes: `POST /mids/:id`, its right, and what it runs. */
export function route(
  address: `${GuardedRoute['method']} /${string}`,
  right: Right,
  run: GuardedRoute['run'],
  more: Pick<
    GuardedRoute,
    'confirmed' | 'enrolling' | 'costly' | 'checkable' | 'bodyBytesMax' | 'valuesMax' | 'files'
  > = {},
): GuardedRoute {
  const [method, path = ''] = address.split(' ') as [GuardedRoute['method'], string];
  return { method, path, right, run, ...more };
}

/** Converts to a row of the route table. */
export function guarded(row: GuardedRoute): Route {
  const { method, path } = row;
  const run: Route['run'] = async (request, params) => {
    if (method === 'POST' ? !isOwnOrigin(request) : isForeignRead(request)) return foreignOrigin();
    const asking = await authenticate(request.headers, { unattended: request.headers.has(unattendedHeader) });
    const setCookie: string[] = [];
    const answered = answer(row, asking, request, asStored(params), setCookie).catch(async (thrown) => {
      if (isNotFound(thrown) && asking.viewer && namesObject(params))
        await recordUnknownObject(asking.viewer, `${method} ${path}`);
      return asResponse(thrown);
    });
    return withCookies(await answered, setCookie);
  };
  return { method, path, run };
}

/** Whether an address has an id, and not only the name of a page. */
const namesObject = (params: Record<string, string>) => Object.values(params).some(isUuid);

/** The parts of an address with ids as the database stores them: they are hashed and sealed as texts. */
const asStored = (params: Record<string, string>) =>
  Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, isUuid(value) ? value.toLowerCase() : value]),
  );

async function answer(
  { method, path, right, confirmed, enrolling, costly, checkable, bodyBytesMax, valuesMax, files, run }: GuardedRoute,
  { session, ...asking }: Awaited<ReturnType<typeof authenticate>>,
  request: HttpRequest,
  params: Record<string, string>,
  setCookie: string[],
): Promise<HttpResult> {
  const query = new URL(request.url).searchParams;
  const checks = checkable === true && query.has('check');
  const changes = method === 'POST' && !checks;
  limitRequests(asking.viewer ?? asking.enrolling ?? asking.locked, { costly, changes });
  const viewer = asking.viewer ?? (enrolling ? asking.enrolling : null);
  if (!viewer || !session) {
    if (asking.locked) throw await lockedSession(asking.locked);
    throw asking.enrolling ? new DashboardError(403, 'Set up two-factor authentication first.') : expiredSession();
  }
  if (!may(viewer.role, right)) {
    await recordRefusedAccess(viewer, `${method} ${path}`);
    throw new DashboardError(403, 'Your role does not allow this.');
  }
  const proves = confirmed && !asking.enrolling && !isConfirmed(session.confirmedAt, new Date());
  if (proves && confirmed === true) throw identityUnconfirmed(await confirmationWays(viewer.id));
  const body = request.method === 'POST' ? await readJson(request, bodyBytesMax, valuesMax) : null;
  if (body === undefined) throw new DashboardError(400, 'The request is not valid.');
  if (proves) {
    if (confirmed !== true) parseBody(confirmed, body);
    throw identityUnconfirmed(await confirmationWays(viewer.id));
  }
  if (files) await scanUploads(files, body, viewer, `${method} ${path}`);
  const zone = readZone(cookieOf(request.headers, 'florin_zone'));
  const scope = merchantScope(viewer, request.headers);
  const asked = { viewer, session, scope, params, query, body, zone };
  const context = { ...asked, setCookie, checks, now: now() };
  const act = async () => {
    // A body, a scan or a turn can end long after the check, when the session or the right has ended.
    if (body !== null && !(await isSessionOf(viewer, session.id))) throw expiredSession();
    return run(context);
  };
  // An action that waits for another party does not use up the turns of its user's reads.
  const answered = await (method === 'GET' || costly ? inUserTurn(viewer.id, act) : act());
  return isHttpResult(answered) ? answered : jsonResponse(200, answered);
}

/** Limits the requests of a user, before anything else is read or written for them. */
function limitRequests(user: Viewer | null, { costly = false, changes = false }): void {
  if (!user) return;
  const seconds =
    (costly && retryAfterForUser('dashboard_costly', user.id)) ||
    (changes && retryAfterForUser('dashboard_change', user.id)) ||
    retryAfterForUser('dashboard', user.id);
  if (seconds > 0) throw tooMany(seconds);
}

/**
 * Reads what a page shows: one more request of its user, in the user's turn. Null for an object that does not exist for
 * the user; throws for any other failure, as the data routes do.
 */
export async function readForPage<T>(
  { viewer, params }: Pick<PageContext, 'viewer' | 'params'>,
  path: string,
  read: () => Promise<T>,
): Promise<T | null> {
  limitRequests(viewer, {});
  const found = await orNull(inUserTurn(viewer.id, read));
  if (found === null && namesObject(params)) await recordUnknownObject(viewer, `GET ${path}`);
  return found;
}

const expiredSession = () => new DashboardError(401, 'Your session has expired. Sign in again.');

const lockedSession = async ({ id }: Viewer) =>
  new DashboardError(401, 'Your session is locked.', undefined, { locked: await unlockingWays(id) });

function asResponse(thrown: unknown): HttpResult {
  const busy = busyMessage(thrown);
  if (busy) return errorResponse(503, busy, { retryAfterSeconds: 1 });
  if (!(thrown instanceof DashboardError)) throw thrown;
  return errorResponse(thrown.status, thrown.message, { fields: thrown.fields, ...thrown.details });
}

/** The response to a refused request. */
export function errorResponse(status: number, message: string, { retryAfterSeconds, ...details }: Details = {}) {
  const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  return jsonResponse(status, { error: { message, ...details } } satisfies Failure, headers);
}

/** The response to a request of another site. */
export const foreignOrigin = () => errorResponse(403, 'The request comes from another site.');

/** A response that is not cached. */
export function jsonResponse(status: number, body: object, headers: Record<string, string> = {}): HttpResult {
  return jsonResult(body, { status, headers: { ...noStore, ...headers } });
}

/** The same response with cookies. */
export function withCookies(response: HttpResult, cookies: string[]): HttpResult {
  addCookies(response, cookies);
  return response;
}

/**
 * Whether a page of this origin sent the request. Browsers say so in Sec-Fetch-Site; for those that do not, Origin must
 * be the public address or the requested host, since a sandbox has several names.
 */
export function isOwnOrigin(request: HttpRequest): boolean {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null) return site === 'same-origin';
  const origin = request.headers.get('origin');
  return origin === dashboardBaseUrl() || origin === `${new URL(env.baseUrl).protocol}//${request.headers.get('host')}`;
}

/** Whether a page of another site reads, for example by a link that starts an export. `none`: the user typed the address. */
function isForeignRead({ headers }: HttpRequest): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin' && site !== 'none';
}

/** The JSON of a POST; undefined for any other body. Throws if a text cannot be stored in the database. */
async function readJson(request: HttpRequest, bytesMax?: number, valuesMax = jsonLimits.values): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  try {
    const text = await readText(request, bytesMax);
    if (!hasAtMost(valuesMax, text)) return undefined;
    const body: unknown = JSON.parse(text, storable);
    if (isDeeper(body, jsonLimits.depth) || repeatedName(text) !== null) return undefined;
    return maskFreeText(body).data;
  } catch (thrown) {
    // RangeError: the body is nested too deeply to be read.
    if (thrown instanceof SyntaxError || thrown instanceof RangeError || thrown instanceof ApiError) return undefined;
    throw thrown;
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

function storable(name: string, value: unknown): unknown {
  if (!isStorable(name)) throw new SyntaxError('an invalid field name');
  if (typeof value !== 'string' || isStorable(value)) return value;
  throw new DashboardError(400, unstorable, { [name]: unstorable });
}

const unstorable = 'The text contains a character that cannot be stored (NUL or half a surrogate pair).';

/** Whether the browser sends a form without the page's script. */
export function isFormPost(request: HttpRequest): boolean {
  return /^application\/x-www-form-urlencoded\b/i.test(request.headers.get('content-type') ?? '');
}

/** The body of a POST as form or JSON; undefined for any other type. */
export async function readBody(request: HttpRequest): Promise<unknown> {
  try {
    if (!isFormPost(request)) return await readJson(request);
    const fields = [...new URLSearchParams(await readText(request))];
    return fields.flat().every(isStorable) ? Object.fromEntries(fields) : undefined;
  } catch (thrown) {
    if (thrown instanceof ApiError || thrown instanceof DashboardError) return undefined;
    throw thrown;
  }
}

/** Redirects a browser after a form. */
export function redirect(location: string): HttpResult {
  return httpResult(null, { status: 303, headers: { location, ...noStore } });
}

const readText = async (request: HttpRequest, bytesMax = smallBytesMax) => textOf(await readBytes(request, bytesMax));

function cookieOf(headers: Headers, name: string): string | undefined {
  try {
    return decodeURIComponent(cookieIn(headers, cookieName(name)) ?? '') || undefined;
  } catch {
    return undefined;
  }
}
