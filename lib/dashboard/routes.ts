/** All routes of the dashboard's data, each with the permission that it requires. */

import type { Route } from '../http';
import { accountRoutes } from './account/routes';
import { auditRoutes } from './audit/routes';
import { brandingRoutes } from './branding/routes';
import { developersRoutes } from './developers/routes';
import { type GuardedRoute, guarded } from './guard';
import { listRoutes } from './lists/routes';
import { mappingRoutes } from './mappings/routes';
import { merchantRoutes } from './merchants/routes';
import { midRoutes } from './mids/routes';
import { overviewRoutes } from './overview/routes';
import { homePath } from './paths';
import { paymentRoutes } from './payments/routes';
import { routingRoutes } from './routing/routes';
import { signInRoutes } from './sign-in/routes';
import { onboardingRoutes } from './users/onboarding';
import { userRoutes } from './users/routes';
import { walletRoutes } from './wallets/routes';

/** The paths of the dashboard's data, without their common prefix. */
export const dashboardTable: readonly GuardedRoute[] = [
  ...accountRoutes,
  ...userRoutes,
  ...auditRoutes,
  ...developersRoutes,
  ...mappingRoutes,
  ...routingRoutes,
  ...brandingRoutes,
  ...merchantRoutes,
  ...midRoutes,
  ...listRoutes,
  ...overviewRoutes,
  ...paymentRoutes,
  ...walletRoutes,
];

/** Every route of the dashboard. */
export const dashboardRoutes: Route[] = [
  ...signInRoutes,
  ...onboardingRoutes,
  ...dashboardTable.map((row) => guarded({ ...row, path: `${homePath}/api${row.path}` })),
];
