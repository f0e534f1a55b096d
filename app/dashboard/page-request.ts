// What a page of the dashboard is asked for, as the rows of its data are: by whom, about whose rows, by which address.

import type { DashboardRequest } from '../../lib/dashboard';
import { now } from '../../lib/db/clock';
import { currentScope } from './scope';
import { currentZone, requireViewer } from './session';

export type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/** Leads to the sign-in first, and then back to this very address. */
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
