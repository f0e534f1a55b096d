import { MerchantKeys } from '../../../../../../components/dashboard/merchants/keys.tsx';
import { env } from '../../../../../../lib/config/index.ts';
import { keyList, merchantPage } from '../../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('merchants', {
  path: ':id/keys',
  async read(request) {
    const [merchant, keys] = await Promise.all([merchantPage(request), keyList(request)]);
    return { merchant, keys };
  },
  right: 'keys.read',
  title: ({ merchant }) => merchant.values.name,
  tab: 'Keys',
  draw: ({ merchant, keys }) => (
    <MerchantKeys key={merchant.id} merchant={merchant} initial={keys} environment={env.appEnv} />
  ),
});

export { generateMetadata, Page as default };
