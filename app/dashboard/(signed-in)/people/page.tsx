import { Users } from '../../../../components/dashboard/users/users.tsx';
import { usersData } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: usersData,
  path: '/dashboard/people',
  right: 'users.read',
  title: 'Users',
  count: ({ people: { length } }) => `${length} ${length === 1 ? 'user' : 'users'}`,
  draw: (users) => <Users initial={users} />,
});

export { generateMetadata, Page as default };
