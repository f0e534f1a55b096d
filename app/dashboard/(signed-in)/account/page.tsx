import { Account } from '../../../../components/dashboard/account/account';
import { account } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const page = dashboardPage({
  read: account,
  path: '/dashboard/account',
  right: 'own.change',
  title: 'Account',
  draw: (own) => <Account initial={own} />,
});

export const generateMetadata = page.metadata;

export default page.Page;
