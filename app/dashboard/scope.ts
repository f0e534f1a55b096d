// The merchant to whose rows the pages of this request are confined, by role first and by the sidebar's choice second.
import { headers } from 'next/headers';
import type { Viewer } from '../../lib/auth';
import { merchantScope } from '../../lib/dashboard';

/** The merchant's id; null for somebody who sees every merchant and has picked none. */
export async function currentScope(viewer: Viewer): Promise<string | null> {
  return merchantScope(viewer, await headers());
}
