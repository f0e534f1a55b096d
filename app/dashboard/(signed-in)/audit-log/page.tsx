import { AuditLog } from '../../../../components/dashboard/audit/entries';
import { listPage } from '../../list-page';

export const metadata = { title: 'Audit log' };

export default listPage('audit-log', AuditLog, async ({ viewer }) => ({ ofMerchant: viewer.merchantId !== null }));
