// The request context of a dashboard page, as the data routes have it: user, merchant and query.

import { headers } from 'next/headers';
import { type DashboardRequest, merchantScope } from '../../lib/dashboard';
import { now } from '../../lib/db/clock';
import { currentZone, requireSession } from './session';

type PageRequest = Pick<DashboardRequest, 'viewer' | 'session' | 'scope' | 'query' | 'zone' | 'now'>;

/** Redirects to the sign-in first, and then back to this address. */
export async function pageRequest(path: string, query: URLSearchParams): Promise<PageRequest> {
  const { viewer, session } = await requireSession(query.size === 0 ? path : `${path}?${query}`);
  const scope = merchantScope(viewer, await headers());
  return { viewer, session, scope, query, zone: await currentZone(), now: now() };
}
