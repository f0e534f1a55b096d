import { Mapping } from '../../../../../components/dashboard/mappings/mapping';
import { protocolNames } from '../../../../../lib/core/mapping-options';
import { mappingPage } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: mappingPage,
  path: '/dashboard/mappings/:id',
  right: 'settings.read',
  title: ({ merchant, protocol }) => `${merchant.name}, ${protocolNames[protocol]}`,
  tab: 'Mapping',
  parent: { href: '/dashboard/mappings', text: 'Mappings' },
  draw: (mapping) => <Mapping key={mapping.id} initial={mapping} />,
});

export { generateMetadata, Page as default };
