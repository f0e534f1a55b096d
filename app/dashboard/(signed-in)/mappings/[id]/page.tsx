import { Mapping } from '../../../../../components/dashboard/mappings/mapping.tsx';
import { protocolNames } from '../../../../../lib/core/mapping-options.ts';
import { mappingPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

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
