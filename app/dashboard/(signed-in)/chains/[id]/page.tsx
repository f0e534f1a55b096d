import { ChainView } from '../../../../../components/dashboard/recurring/chain.tsx';
import { chainPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: chainPage,
  path: '/dashboard/chains/:id',
  title: ({ orderNumber }) => orderNumber,
  parent: { href: '/dashboard/chains', text: 'Recurring payments' },
  draw: (chain) => <ChainView key={chain.id} initial={chain} />,
});

export { generateMetadata, Page as default };
