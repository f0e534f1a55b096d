import { NewMid } from '../../../../../components/dashboard/mids/new-mid.tsx';
import { midChoices } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: ({ scope }) => midChoices(scope),
  path: '/dashboard/mids/new',
  right: 'settings.change',
  title: 'New MID',
  parent: { href: '/dashboard/mids', text: 'MIDs' },
  draw: (choices, { query }) => <NewMid choices={choices} merchantId={query.get('merchant')} />,
});

export { generateMetadata, Page as default };
