// Routes for operators in addition to /healthz.
import type { Route } from '../http';
import { serveMetrics } from './metrics-endpoint';
import { ready } from './ready';

export const operationsRoutes: Route[] = [
  { method: 'GET', path: '/readyz', run: ready },
  { method: 'GET', path: '/metrics', run: serveMetrics },
];
