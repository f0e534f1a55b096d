// The table of every address that merchants' servers and payers' browsers reach, and the one function that answers
// them. It knows web Requests and Responses only, so that both mounts (server.ts and Next's handlers) share it.
import { randomUUID } from 'node:crypto';
import { env } from '../config';
import { ApiError, errorBody, errors, renderApiError } from '../core/errors';
import { dashboardRoutes } from '../dashboard';
import { docsRoutes } from '../docs';
import { buildMatcher, type ClientIp, type Route } from '../http';
import { openApiRoutes } from '../openapi';
import { healthRoutes, operationsRoutes } from '../operations';
import { outboxRoutes } from '../outbox';
import { payerRoutes } from '../payer';
import { apmRoutes, cardRoutes, checkoutRoutes } from '../protocols';
import { controlRoutes, shopRoutes, simulatorRoutes } from '../sandbox';
import { currentRequestId, log, metrics, requestIdOf, tracedRequest, withRequestId } from '../telemetry';
import { tick } from './jobs';

export type { ClientIp, Route } from '../http';

/** Every row. */
export const routes: Route[] = [
  ...healthRoutes,
  ...operationsRoutes,
  ...controlRoutes(tick),
  ...checkoutRoutes,
  ...cardRoutes,
  ...apmRoutes,
  ...openApiRoutes,
  ...payerRoutes,
  ...dashboardRoutes,
  ...docsRoutes,
  ...shopRoutes,
  ...simulatorRoutes,
  ...outboxRoutes,
];

let match: ReturnType<typeof buildMatcher> | undefined;

/** Answers a request that the table knows; `null` for any other address. Never throws. */
export async function serve(request: Request, peer: ClientIp): Promise<Response | null> {
  match ??= buildMatcher(routes.filter((route) => route.only === undefined || route.only === env.appEnv));
  const path = pathOf(request);
  // No address of ours is written so, and what answers the others would fall over it.
  if (path.includes('%') && !isDecodable(path)) return noRouteResponse(path, 400);
  const found = match(request.method, path);
  if (found === null) return isProtocolPath(path) ? noRouteResponse(path, 404) : null;
  if ('allow' in found) {
    const allow = found.allow.includes('GET') ? [...found.allow, 'HEAD'] : found.allow;
    const headers = { allow: allow.join(', ') };
    return request.method === 'OPTIONS'
      ? new Response(null, { status: 204, headers })
      : noRouteResponse(path, 405, headers);
  }
  const started = performance.now();
  const id = requestIdOf(request.headers);
  const { method, path: route } = found.route;
  const response = await withRequestId(id, () =>
    tracedRequest({ method, route, headers: request.headers, id }, () => runRoute(found, request, peer)),
  );
  response.headers.set('x-request-id', id);
  // A redirect shows nothing: what it leads to has headers of its own.
  if (response.status < 300 || response.status > 399) addDefaultSecurityHeaders(response.headers);
  metrics.requests.observe({ method, route, status: response.status }, (performance.now() - started) / 1000);
  return response;
}

/** Whether merchants' servers call below this path, so that an error there has the protocols' body. */
const isProtocolPath = (path: string) => /^\/(api\/v1|s2s)(\/|$)/.test(path);

/** The answer where no row of the table fits: with a body only where a merchant's server reads it. */
function noRouteResponse(path: string, status: 400 | 404 | 405, headers?: HeadersInit): Response {
  if (!isProtocolPath(path)) return new Response(null, { status, headers });
  const response = Response.json(errorBody(errors.actionUnknown.code, errors.actionUnknown.message), {
    status,
    headers,
  });
  addDefaultSecurityHeaders(response.headers);
  return response;
}

// What every answer has that does not say otherwise: a document of ours has a policy of its own, and a picture a lifetime;
// of all else a browser is to make nothing but what it is called, in no frame, and keep nothing.
const defaultSecurityHeaders = [
  ['x-content-type-options', 'nosniff'],
  ['content-security-policy', "default-src 'none'; frame-ancestors 'none'"],
  ['cache-control', 'no-store'],
] as const;

function addDefaultSecurityHeaders(headers: Headers): void {
  for (const [name, value] of defaultSecurityHeaders) if (!headers.has(name)) headers.set(name, value);
}

async function runRoute({ route, params }: MatchedRoute, request: Request, peer: ClientIp): Promise<Response> {
  try {
    return await route.run(request, params, peer);
  } catch (thrown) {
    return errorResponseOf(thrown, request.method, route.path);
  }
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

type MatchedRoute = { route: Route; params: Record<string, string> };

// Much cheaper than a URL object, and Request.url is already in normal form. A host that a protocol has to itself
// leaves out that protocol's prefix (protocol.md 2).
function pathOf(request: Request): string {
  const { url } = request;
  const start = url.indexOf('/', url.indexOf('://') + 3);
  const query = url.indexOf('?', start);
  const path = query < 0 ? url.slice(start) : url.slice(start, query);
  if (env.s2sCardHost === null && env.s2sApmHost === null) return path;
  const host = request.headers.get('host')?.toLowerCase();
  if (host === env.s2sCardHost && cardPaths.has(path)) return `/s2s/card${path}`;
  return host === env.s2sApmHost && apmPaths.has(path) ? `/s2s/apm${path}` : path;
}

const cardPaths = new Set(['/post', '/v2/post']);
const apmPaths = new Set(['/post', '/post-va']);

// The one place where what a handler throws becomes an answer: a refusal is the contract's error, anything else is a
// bug, told by an opaque id only.
function errorResponseOf(thrown: unknown, method: string, path: string): Response {
  if (thrown instanceof ApiError) {
    const { body, ...answer } = renderApiError(thrown);
    return Response.json(body, answer);
  }
  const id = currentRequestId() ?? randomUUID();
  log.error({ err: thrown, id, method, path }, 'a handler failed');
  const message = `Internal error. Reference: ${id}`;
  return Response.json(errorBody(500, message), { status: 500 });
}
