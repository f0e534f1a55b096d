// With DASHBOARD_HOST the dashboard has an origin of its own: no page of payers or merchants shares it (ASVS 5.0, 3.5.4).
import { homePath } from '../dashboard/index.ts';
import { type HttpRequest, type HttpResult, httpResult } from '../http/index.ts';

// Also what Next answers for the same page under another name, such as /dashboard.rsc.
const dashboardPath = /^\/dashboard\b/;

/** What every host serves: the documentation, built files, files beside the pages, logos in previews, health checks. */
const sharedPath =
  /^\/(?:(?:docs|openapi|_next|sdk|pay\/logo)(?:\/|$)|healthz$|readyz$|\.well-known\/security\.txt$|[^/]+\.\w+$)/;

/**
 * The response for a path that the requested host does not serve; null if it does. `own` is the dashboard's host, whose
 * start is the dashboard.
 */
export function otherHostResult({ headers }: HttpRequest, path: string, own: string): HttpResult | null {
  // Next decodes the path of a page.
  const isDashboard = dashboardPath.test(decodeURIComponent(path));
  if (headers.get('host')?.toLowerCase() !== own) return isDashboard ? notServed() : null;
  if (path === '/') return httpResult(null, { status: 303, headers: { location: homePath } });
  return isDashboard || sharedPath.test(path) ? null : notServed();
}

const notServed = () => httpResult('This host does not serve this address.', { status: 404 });
