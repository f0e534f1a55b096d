import { Account } from '../../../../components/dashboard/account/account.tsx';
import { account } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: account,
  path: '/dashboard/account',
  right: 'own.change',
  title: 'Account',
  draw: (own) => <Account initial={own} />,
});

export { generateMetadata, Page as default };
