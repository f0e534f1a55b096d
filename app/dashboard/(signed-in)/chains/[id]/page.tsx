import { ChainView } from '../../../../../components/dashboard/recurring/chain';
import { chainPage } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

const page = dashboardPage({
  read: chainPage,
  path: '/dashboard/chains/:id',
  title: ({ orderNumber }) => orderNumber,
  parent: { href: '/dashboard/chains', text: 'Recurring payments' },
  draw: (chain) => <ChainView key={chain.id} initial={chain} />,
});

export const generateMetadata = page.metadata;

export default page.Page;
