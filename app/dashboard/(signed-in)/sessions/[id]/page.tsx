import { SessionView } from '../../../../../components/dashboard/sessions/session.tsx';
import { sessionPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: sessionPage,
  path: '/dashboard/sessions/:id',
  title: ({ orderNumber }) => orderNumber,
  parent: { href: '/dashboard/sessions', text: 'Checkout sessions' },
  draw: (session) => <SessionView key={session.id} initial={session} />,
});

export { generateMetadata, Page as default };
