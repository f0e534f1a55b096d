import { Payment } from '../../../../../components/dashboard/payments/payment.tsx';
import { paymentPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('payments', {
  read: paymentPage,
  title: ({ orderNumber }) => orderNumber,
  tab: ({ amount, currency, orderNumber }) => `${amount} ${currency}, ${orderNumber}`,
  missing: 'Payment not found',
  draw: (payment) => <Payment key={payment.id} initial={payment} />,
});

export { generateMetadata, Page as default };
