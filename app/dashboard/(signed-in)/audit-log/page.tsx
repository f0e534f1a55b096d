import { AuditLog } from '../../../../components/dashboard/audit/entries.tsx';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Audit log' };

export default listPage('audit-log', AuditLog, async ({ viewer }) => ({ ofMerchant: viewer.merchantId !== null }));
