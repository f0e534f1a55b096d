import { Payments } from '../../../../components/dashboard/payments/list.tsx';
import { may } from '../../../../lib/auth/index.ts';
import { env } from '../../../../lib/config/index.ts';
import { exportColumnNames, viewsOf } from '../../../../lib/dashboard/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Payments' };

export default listPage('payments', Payments, async ({ viewer }) => ({
  savedViews: (await viewsOf(viewer)).views,
  mayExport: may(viewer.role, 'payments.export'),
  exportColumns: exportColumnNames,
  hasBucket: env.exportBucket !== null,
}));
