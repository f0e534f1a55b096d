// The table of all routes for merchants' servers and payers' browsers, and the function that handles requests by it. It
// knows neither node:http nor Next, so that server.ts and next-handler.ts share it.
import { randomUUID } from 'node:crypto';
import { env } from '../config/index.ts';
import { ApiError, errorBody, errors, renderApiError } from '../core/errors.ts';
import { dashboardRoutes } from '../dashboard/index.ts';
import { docsRoutes } from '../docs/index.ts';
import {
  buildMatcher,
  type ClientIp,
  type HeaderFields,
  type HttpRequest,
  type HttpResult,
  httpResult,
  jsonResult,
  type Route,
} from '../http/index.ts';
import { healthRoutes, operationsRoutes } from '../operations/index.ts';
import { outboxRoutes } from '../outbox/index.ts';
import { payerRoutes } from '../payer/index.ts';
import { apmRoutes, cardRoutes, checkoutRoutes } from '../protocols/index.ts';
import { controlRoutes, shopRoutes, simulatorRoutes } from '../sandbox/index.ts';
import { currentRequestId, log, metrics, requestIdOf, tracedRequest, withRequestId } from '../telemetry/index.ts';
import { otherHostResult } from './dashboard-host.ts';
import { tick } from './jobs.ts';
import { defaultSecurityHeaders } from './security-headers.ts';

/** All routes. */
export const routes: Route[] = [
  ...healthRoutes,
  ...operationsRoutes,
  ...controlRoutes(tick),
  ...checkoutRoutes,
  ...cardRoutes,
  ...apmRoutes,
  ...payerRoutes,
  ...dashboardRoutes,
  ...docsRoutes,
  ...shopRoutes,
  ...simulatorRoutes,
  ...outboxRoutes,
];

let match: ReturnType<typeof buildMatcher> | undefined;

/** Handles a request by the table; `null` for an unknown path. Never throws. */
export async function serve(request: HttpRequest, clientIp: ClientIp): Promise<HttpResult | null> {
  const result = await resultOf(request, clientIp);
  // A browser would take the policy of 304 for the document that it has.
  return result === null || result.status === 304 ? result : withDefaultSecurityHeaders(result);
}

async function resultOf(request: HttpRequest, clientIp: ClientIp): Promise<HttpResult | null> {
  match ??= buildMatcher(routes.filter((route) => route.only === undefined || route.only === env.appEnv));
  const path = pathOf(request);
  // No path of the table has such an encoding, and Next would throw for it.
  if (path.includes('%') && !isDecodable(path)) return noRouteResult(path, 400);
  const elsewhere = env.dashboardHost && otherHostResult(request, path, env.dashboardHost);
  if (elsewhere) return elsewhere;
  const matched = match(request.method, path);
  if (matched === null) return isProtocolPath(path) ? noRouteResult(path, 404) : null;
  if ('allow' in matched) {
    const allow = matched.allow.includes('GET') ? [...matched.allow, 'HEAD'] : matched.allow;
    const headers = { allow: allow.join(', ') };
    return request.method === 'OPTIONS'
      ? httpResult(null, { status: 204, headers })
      : noRouteResult(path, 405, headers);
  }
  const started = performance.now();
  const id = requestIdOf(request.headers);
  const { method, path: route } = matched.route;
  const result = await withRequestId(id, () =>
    tracedRequest({ method, route, headers: request.headers, id }, () => runRoute(matched, request, clientIp)),
  );
  result.headers['x-request-id'] = id;
  metrics.requests.observe({ method, route, status: result.status }, (performance.now() - started) / 1000);
  return result;
}

/** Reports whether merchants' servers call this path, so that its errors need the protocols' body. */
const isProtocolPath = (path: string) => /^\/(api\/v1|s2s)(\/|$)/.test(path);

/** The response for a path without a route; only merchants' servers get a body. */
function noRouteResult(path: string, status: 400 | 404 | 405, headers?: HeaderFields): HttpResult {
  if (!isProtocolPath(path)) return httpResult(null, { status, headers });
  return jsonResult(errorBody(errors.actionUnknown.code, errors.actionUnknown.message), { status, headers });
}

function withDefaultSecurityHeaders(result: HttpResult): HttpResult {
  for (const [name, value] of Object.entries(defaultSecurityHeaders)) result.headers[name] ??= value;
  return result;
}

async function runRoute({ route, params }: MatchedRoute, request: HttpRequest, ip: ClientIp): Promise<HttpResult> {
  try {
    return await route.run(request, params, ip);
  } catch (thrown) {
    return errorResultOf(thrown, request.method, route.path);
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

// Faster than a URL object, since Request.url is in normal form. A protocol's own host omits the protocol's prefix
// (protocol.md 2).
function pathOf(request: HttpRequest): string {
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

// Converts thrown values to responses: an API error to the contract's body, anything else to an internal error with an
// opaque id.
function errorResultOf(thrown: unknown, method: string, path: string): HttpResult {
  if (thrown instanceof ApiError) {
    const { body, status, headers } = renderApiError(thrown);
    return jsonResult(body, { status, headers: Object.fromEntries(headers) });
  }
  const id = currentRequestId() ?? randomUUID();
  log.error({ err: thrown, id, method, path }, 'a handler failed');
  const message = `Internal error. Reference: ${id}`;
  return jsonResult(errorBody(500, message), { status: 500 });
}
