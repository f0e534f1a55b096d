import { Merchant } from '../../../../../components/dashboard/merchants/merchant.tsx';
import { merchantPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('merchants', {
  read: merchantPage,
  title: ({ values }) => values.name,
  tab: 'Merchant',
  draw: (merchant) => <Merchant key={merchant.id} initial={merchant} />,
});

export { generateMetadata, Page as default };
