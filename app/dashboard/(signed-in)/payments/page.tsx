import { Payments } from '../../../../components/dashboard/payments/list.tsx';
import { may } from '../../../../lib/auth/index.ts';
import { viewsOf } from '../../../../lib/dashboard/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Payments' };

export default listPage('payments', Payments, async ({ viewer }) => ({
  savedViews: (await viewsOf(viewer)).views,
  mayExport: may(viewer.role, 'payments.export'),
}));
