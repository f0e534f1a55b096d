import { Payments } from '../../../../components/dashboard/payments/list';
import { may } from '../../../../lib/auth';
import { viewsOf } from '../../../../lib/dashboard';
import { listPage } from '../../list-page';

export const metadata = { title: 'Payments' };

export default listPage('payments', Payments, async ({ viewer }) => ({
  savedViews: (await viewsOf(viewer)).views,
  mayExport: may(viewer.role, 'payments.export'),
}));
