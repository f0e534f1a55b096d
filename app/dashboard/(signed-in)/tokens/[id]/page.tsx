import { TokenView } from '../../../../../components/dashboard/tokens/token.tsx';
import { tokenPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('tokens', {
  read: tokenPage,
  title: ({ brand, last4 }) => `${brand} •••• ${last4}`,
  draw: (token) => <TokenView key={token.id} initial={token} />,
});

export { generateMetadata, Page as default };
