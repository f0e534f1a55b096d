import { Mid } from '../../../../../components/dashboard/mids/mid.tsx';
import { midChoices, midPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: midPage,
  path: '/dashboard/mids/:id',
  right: 'settings.read',
  title: ({ values }) => values.name,
  tab: 'MID',
  parent: { href: '/dashboard/mids', text: 'MIDs' },
  draw: async (mid, { scope }) => <Mid key={mid.id} initial={mid} choices={await midChoices(scope)} />,
});

export { generateMetadata, Page as default };
