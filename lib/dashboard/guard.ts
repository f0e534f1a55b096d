/**
 * What stands before every address of the dashboard's data: where the request comes from, who sends it, and whether that
 * person may. A row names the right that it asks for, so that no address is without a policy.
 */
import type { Failure } from '../../components/dashboard/model';
import { may, type Right, type Viewer } from '../auth/roles';
import { viewerOf } from '../auth/viewer';
import { now } from '../clock';
import { Refusal } from '../core/errors';
import { env } from '../env';
import { readBytes, textOf } from '../protocols/body';
import type { Route } from '../route';
import { Fault } from './fault';
import { readZone } from './query';

const bodyBytesMax = 16 * 1024;
const noStore = { 'cache-control': 'no-store' };

export type Asked = {
  viewer: Viewer;
  params: Record<string, string>;
  query: URLSearchParams;
  /** The JSON of a POST. */
  body: unknown;
  /** The time zone of the person's browser. */
  zone: string;
  now: Date;
};

/** A row of the dashboard's table. `run` answers what is sent as JSON, or null for what this person cannot find. */
export type GuardedRoute = {
  method: 'GET' | 'POST';
  path: string;
  right: Right;
  run: (asked: Asked) => Promise<object | null>;
};

/** The row as the table of routes takes it. */
export function guarded({ method, path, right, run }: GuardedRoute): Route {
  const answer: Route['run'] = async (request, params) => {
    if (method === 'POST' && !isOwnOrigin(request)) return fail(403, 'The request comes from another site.');
    const { viewer, setCookie } = await viewerOf(request.headers, { renew: true });
    if (!viewer) return withCookies(fail(401, 'The session has ended. Sign in again.'), setCookie);
    if (!may(viewer.role, right)) return withCookies(fail(403, 'Your role does not allow this.'), setCookie);
    const asked = await readAsked(request, params, viewer);
    const response = asked instanceof Response ? asked : await attempt(run, asked);
    return withCookies(response, setCookie);
  };
  return { method, path, run: answer };
}

async function readAsked(request: Request, params: Record<string, string>, viewer: Viewer): Promise<Asked | Response> {
  const body = request.method === 'POST' ? await readJson(request) : null;
  if (body === undefined) return fail(400, 'The request is not valid.');
  const query = new URL(request.url).searchParams;
  const zone = readZone(cookieOf(request.headers, 'florin_zone'));
  return { viewer, params, query, body, zone, now: now() };
}

async function attempt(run: GuardedRoute['run'], asked: Asked): Promise<Response> {
  try {
    const answered = await run(asked);
    return answered === null ? fail(404, 'There is nothing at this address.') : json(200, answered);
  } catch (thrown) {
    if (thrown instanceof Fault) return fail(thrown.status, thrown.message, thrown.fields);
    throw thrown;
  }
}

/** A refused request's answer. */
export function fail(status: number, message: string, fields?: Record<string, string>): Response {
  const failure: Failure = { error: { message, ...(fields && { fields }) } };
  return json(status, failure);
}

/** An answer that nobody keeps. */
export function json(status: number, body: object, headers: Record<string, string> = {}): Response {
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

/** JSON of a POST; undefined for anything else. */
export async function readJson(request: Request): Promise<unknown> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  try {
    return JSON.parse(await readText(request));
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof Refusal) return undefined;
    throw thrown;
  }
}

/** The text of a small body; throws a refusal for a large one. */
export async function readText(request: Request): Promise<string> {
  return textOf(await readBytes(request, bodyBytesMax));
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
