/** The dashboard's data, as rows of the table of routes: each with the right that it asks for. */

import type { Route } from '../http/route';
import { accountRoutes } from './account/routes';
import { auditRoutes } from './audit/routes';
import { developersRoutes } from './developers/routes';
import { type GuardedRoute, guarded } from './guard';
import { brandingRoutes } from './look/routes';
import { mappingRoutes } from './mappings/routes';
import { merchantRoutes } from './merchants/routes';
import { midRoutes } from './mids/routes';
import { listRoutes } from './objects/routes';
import { overviewRoutes } from './overview/routes';
import { homePath } from './paths';
import { paymentRoutes } from './payments/routes';
import { onboardingRoutes } from './people/arrival';
import { userRoutes } from './people/routes';
import { routingRoutes } from './routing/routes';
import { signInRoutes } from './session';
import { walletRoutes } from './wallets/routes';

/** The addresses of the dashboard's data, without their common beginning. */
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

/** Every row of the dashboard. */
export const dashboardRoutes: Route[] = [
  ...signInRoutes,
  ...onboardingRoutes,
  ...dashboardTable.map((row) => guarded({ ...row, path: `${homePath}/api${row.path}` })),
];
