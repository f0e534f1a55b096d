/** Routes of the shell and the overview. */
import { merchantOf } from '../../auth';
import { findMerchantNames } from '../../merchants';
import type { GuardedRoute } from '../guard';
import { withExpiringCertificates } from '../wallets/expiry';
import { actionCounts } from './counts';
import { overview } from './overview';

const pickedMax = 20;

/** Rows of the table of routes. */
export const overviewRoutes: GuardedRoute[] = [
  {
    method: 'GET',
    path: '/overview',
    right: 'payments.read',
    run: async ({ query, scope, zone, now, viewer }) =>
      withExpiringCertificates(await overview(query, scope, zone, now), viewer, scope, now),
  },
  {
    method: 'GET',
    path: '/attention/counts',
    right: 'payments.read',
    run: ({ scope }) => actionCounts(scope),
  },
  {
    // Not limited to the selected merchant, because it selects another one.
    method: 'GET',
    path: '/merchants-to-pick',
    right: 'settings.read',
    run: async ({ viewer, query }) => {
      const names = await findMerchantNames((query.get('q') ?? '').slice(0, 100), merchantOf(viewer), pickedMax + 1);
      return { merchants: names.slice(0, pickedMax), more: names.length > pickedMax };
    },
  },
];
