// Routes for operators in addition to /healthz.
import type { Route } from '../http/index.ts';
import { serveMetrics } from './metrics-endpoint.ts';
import { ready } from './ready.ts';
import { serveSecurityTxt } from './security-txt.ts';

export const operationsRoutes: Route[] = [
  { method: 'GET', path: '/readyz', run: ready },
  { method: 'GET', path: '/metrics', run: serveMetrics },
  { method: 'GET', path: '/.well-known/security.txt', run: serveSecurityTxt },
];
