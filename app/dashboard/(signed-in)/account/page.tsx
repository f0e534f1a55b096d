import { Account } from '../../../../components/dashboard/account/account';
import { account } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: account,
  path: '/dashboard/account',
  right: 'own.change',
  title: 'Account',
  draw: (own) => <Account initial={own} />,
});

export { generateMetadata, Page as default };
