// What those who run a deployment ask for, beside /healthz.
import type { Route } from '../http/route';
import { ready } from './ready';
import { serveMetrics } from './tell-metrics';

export const operationsRoutes: Route[] = [
  { method: 'GET', path: '/readyz', run: ready },
  { method: 'GET', path: '/metrics', run: serveMetrics },
];
