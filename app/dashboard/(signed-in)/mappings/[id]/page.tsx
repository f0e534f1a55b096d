import { Mapping } from '../../../../../components/dashboard/mappings/mapping.tsx';
import { protocolNames } from '../../../../../lib/core/mapping-options.ts';
import { mappingPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('mappings', {
  read: mappingPage,
  title: ({ merchant, protocol }) => `${merchant.name}, ${protocolNames[protocol]}`,
  tab: 'Mapping',
  draw: (mapping) => <Mapping key={mapping.id} initial={mapping} />,
});

export { generateMetadata, Page as default };
