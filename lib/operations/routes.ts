// Routes for operators in addition to /healthz.
import type { Route } from '../http/index.ts';
import { serveMetrics } from './metrics-endpoint.ts';
import { ready } from './ready.ts';

export const operationsRoutes: Route[] = [
  { method: 'GET', path: '/readyz', run: ready },
  { method: 'GET', path: '/metrics', run: serveMetrics },
];
