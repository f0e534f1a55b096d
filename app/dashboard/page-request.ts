// The request context of a dashboard page, as the data routes have it: user, merchant and query.

import type { DashboardRequest } from '../../lib/dashboard';
import { now } from '../../lib/db/clock';
import { currentScope } from './scope';
import { currentZone, requireViewer } from './session';

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Redirects to the sign-in first, and then back to this address. */
export async function pageRequest(
  path: string,
  searchParams?: SearchParams,
): Promise<Pick<DashboardRequest, 'viewer' | 'scope' | 'query' | 'zone' | 'now'>> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((await searchParams) ?? {})) {
    for (const each of [value].flat()) if (each !== undefined) query.append(name, each);
  }
  const viewer = await requireViewer(query.size === 0 ? path : `${path}?${query}`);
  return { viewer, scope: await currentScope(viewer), query, zone: await currentZone(), now: now() };
}
