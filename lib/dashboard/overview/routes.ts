/** Routes of the shell and the overview. */
import { merchantOf } from '../../auth';
import { findMerchantNames } from '../../merchants';
import { type GuardedRoute, route } from '../guard';
import { withExpiringCertificates } from '../wallets/expiry';
import { actionCounts } from './counts';
import { overview } from './overview';

const pickedMax = 20;

/** Rows of the table of routes. */
export const overviewRoutes: GuardedRoute[] = [
  route('GET /overview', 'payments.read', async ({ query, scope, zone, now, viewer }) =>
    withExpiringCertificates(await overview(query, scope, zone, now), viewer, scope, now),
  ),
  route('GET /attention/counts', 'payments.read', ({ scope }) => actionCounts(scope)),
  // Not limited to the selected merchant, because it selects another one.
  route('GET /merchants-to-pick', 'settings.read', async ({ viewer, query }) => {
    const names = await findMerchantNames((query.get('q') ?? '').slice(0, 100), merchantOf(viewer), pickedMax + 1);
    return { merchants: names.slice(0, pickedMax), more: names.length > pickedMax };
  }),
];
