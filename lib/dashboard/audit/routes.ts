/** The audit log's data. An owner reads the entries of the own merchant. */
import type { GuardedRoute } from '../guard';
import { auditPage, verifyChain } from './log';

export const auditRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/audit-log', right: 'audit.read', run: auditPage },
  { method: 'GET', path: '/audit-log/chain', right: 'audit.read', run: verifyChain },
];
