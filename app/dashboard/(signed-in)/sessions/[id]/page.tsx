import { SessionView } from '../../../../../components/dashboard/sessions/session.tsx';
import { sessionPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('sessions', {
  read: sessionPage,
  title: ({ orderNumber }) => orderNumber,
  draw: (session) => <SessionView key={session.id} initial={session} />,
});

export { generateMetadata, Page as default };
