import { Merchant } from '../../../../../components/dashboard/merchants/merchant.tsx';
import { merchantPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: merchantPage,
  path: '/dashboard/merchants/:id',
  right: 'settings.read',
  title: ({ values }) => values.name,
  tab: 'Merchant',
  parent: { href: '/dashboard/merchants', text: 'Merchants' },
  draw: (merchant) => <Merchant key={merchant.id} initial={merchant} />,
});

export { generateMetadata, Page as default };
