import { SessionView } from '../../../../../components/dashboard/sessions/session';
import { sessionPage } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: sessionPage,
  path: '/dashboard/sessions/:id',
  title: ({ orderNumber }) => orderNumber,
  parent: { href: '/dashboard/sessions', text: 'Checkout sessions' },
  draw: (session) => <SessionView key={session.id} initial={session} />,
});

export { generateMetadata, Page as default };
