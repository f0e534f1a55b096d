import { Payment } from '../../../../../components/dashboard/payments/payment.tsx';
import { paymentPage, paymentsPath } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: paymentPage,
  path: `${paymentsPath}/:id`,
  title: ({ orderNumber }) => orderNumber,
  tab: ({ amount, currency, orderNumber }) => `${amount} ${currency}, ${orderNumber}`,
  missing: 'Payment not found',
  parent: { href: paymentsPath, text: 'Payments' },
  draw: (payment) => <Payment key={payment.id} initial={payment} />,
});

export { generateMetadata, Page as default };
