import { Payment } from '../../../../../components/dashboard/payments/payment';
import { paymentPage, paymentsPath } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

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
