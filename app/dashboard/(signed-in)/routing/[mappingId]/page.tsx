import { Routing } from '../../../../../components/dashboard/routing/routing.tsx';
import { protocolNames } from '../../../../../lib/core/mapping-options.ts';
import { routingPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: routingPage,
  path: '/dashboard/routing/:mappingId',
  right: 'settings.read',
  title: ({ merchant, protocol }) => `${merchant.name}, ${protocolNames[protocol]}`,
  tab: 'Routing',
  parent: { href: '/dashboard/routing', text: 'Routing' },
  draw: (routing) => <Routing key={routing.mappingId} initial={routing} />,
});

export { generateMetadata, Page as default };
