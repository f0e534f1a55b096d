import { TokenView } from '../../../../../components/dashboard/tokens/token.tsx';
import { tokenPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: tokenPage,
  path: '/dashboard/tokens/:id',
  title: ({ brand, last4 }) => `${brand} •••• ${last4}`,
  parent: { href: '/dashboard/tokens', text: 'Tokens' },
  draw: (token) => <TokenView key={token.id} initial={token} />,
});

export { generateMetadata, Page as default };
