/** The dashboard's data, as rows of the table of routes: each with the right that it asks for. */

import type { Route } from '../http/route';
import { accountRoutes } from './account/routes';
import { auditRoutes } from './audit/routes';
import { developersRoutes } from './developers/routes';
import { type GuardedRoute, guarded } from './guard';
import { lookRoutes } from './look/routes';
import { mappingRoutes } from './mappings/routes';
import { merchantRoutes } from './merchants/routes';
import { midRoutes } from './mids/routes';
import { objectsRoutes } from './objects/routes';
import { overviewRoutes } from './overview/routes';
import { homePath } from './paths';
import { paymentRoutes } from './payments/routes';
import { arrivalRoutes } from './people/arrival';
import { peopleRoutes } from './people/routes';
import { routingRoutes } from './routing/routes';
import { sessionRoutes } from './session';
import { walletRoutes } from './wallets/routes';

/** The addresses of the dashboard's data, without their common beginning. */
export const dashboardTable: readonly GuardedRoute[] = [
  ...accountRoutes,
  ...peopleRoutes,
  ...auditRoutes,
  ...developersRoutes,
  ...mappingRoutes,
  ...routingRoutes,
  ...lookRoutes,
  ...merchantRoutes,
  ...midRoutes,
  ...objectsRoutes,
  ...overviewRoutes,
  ...paymentRoutes,
  ...walletRoutes,
];

/** Every row of the dashboard. */
export const dashboardRoutes: Route[] = [
  ...sessionRoutes,
  ...arrivalRoutes,
  ...dashboardTable.map((row) => guarded({ ...row, path: `${homePath}/api${row.path}` })),
];
