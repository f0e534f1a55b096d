/** Routes of the audit log. An owner reads the entries of their own merchant. */
import { type GuardedRoute, route } from '../guard';
import { verifyChain } from './audit-log';

export const auditRoutes: GuardedRoute[] = [route('GET /audit-log/chain', 'audit.read', verifyChain)];
