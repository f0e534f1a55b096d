import { Routing } from '../../../../../components/dashboard/routing/routing.tsx';
import { protocolNames } from '../../../../../lib/core/mapping-options.ts';
import { routingPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('routing', {
  path: ':mappingId',
  read: routingPage,
  title: ({ merchant, protocol }) => `${merchant.name}, ${protocolNames[protocol]}`,
  tab: 'Routing',
  draw: (routing) => <Routing key={routing.mappingId} initial={routing} />,
});

export { generateMetadata, Page as default };
