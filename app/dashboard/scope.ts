// The merchant that limits the pages of this request: from the role first, then from the sidebar's selection.
import { headers } from 'next/headers';
import type { Viewer } from '../../lib/auth';
import { merchantScope } from '../../lib/dashboard';

/** The merchant's id; null for a user who sees every merchant and selected none. */
export async function currentScope(viewer: Viewer): Promise<string | null> {
  return merchantScope(viewer, await headers());
}
