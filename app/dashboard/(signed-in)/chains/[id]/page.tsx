import { ChainView } from '../../../../../components/dashboard/recurring/chain.tsx';
import { chainPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('chains', {
  read: chainPage,
  title: ({ orderNumber }) => orderNumber,
  draw: (chain) => <ChainView key={chain.id} initial={chain} />,
});

export { generateMetadata, Page as default };
