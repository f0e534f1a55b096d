import { MerchantKeys } from '../../../../../../components/dashboard/merchants/keys';
import { env } from '../../../../../../lib/config';
import { keyList, merchantPage } from '../../../../../../lib/dashboard';
import { dashboardPage } from '../../../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  async read(request) {
    const [merchant, keys] = await Promise.all([merchantPage(request), keyList(request)]);
    return merchant && keys && { merchant, keys };
  },
  path: '/dashboard/merchants/:id/keys',
  right: 'keys.read',
  title: ({ merchant }) => merchant.values.name,
  tab: 'Keys',
  parent: { href: '/dashboard/merchants', text: 'Merchants' },
  draw: ({ merchant, keys }) => (
    <MerchantKeys key={merchant.id} merchant={merchant} initial={keys} environment={env.appEnv} />
  ),
});

export { generateMetadata, Page as default };
