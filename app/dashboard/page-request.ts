// The request context of a dashboard page, as the data routes have it: user, merchant and query.

import { headers } from 'next/headers';
import { merchantScope, type PageContext } from '../../lib/dashboard';
import { now } from '../../lib/db/clock';
import { currentZone, requireSession } from './session';

/** Redirects to the sign-in first, and then back to this address. */
export async function pageRequest(path: string, query: URLSearchParams): Promise<Omit<PageContext, 'params'>> {
  const { viewer, session } = await requireSession(query.size === 0 ? path : `${path}?${query}`);
  const scope = merchantScope(viewer, await headers());
  return { viewer, session, scope, query, zone: await currentZone(), now: now() };
}
