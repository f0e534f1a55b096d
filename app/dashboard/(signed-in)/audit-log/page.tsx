import { AuditLog } from '../../../../components/dashboard/audit/entries.tsx';
import { may } from '../../../../lib/auth/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Audit log' };

export default listPage('audit-log', AuditLog, async ({ viewer }) => ({ mayVerify: may(viewer.role, 'audit.verify') }));
