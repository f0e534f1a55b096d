/** Routes of the audit log. An owner reads the entries of their own merchant. */
import type { GuardedRoute } from '../guard';
import { verifyChain } from './audit-log';

export const auditRoutes: GuardedRoute[] = [
  { method: 'GET', path: '/audit-log/chain', right: 'audit.read', run: verifyChain },
];
