import { NewMid } from '../../../../../components/dashboard/mids/new-mid';
import { midChoices } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: ({ scope }) => midChoices(scope),
  path: '/dashboard/mids/new',
  right: 'settings.change',
  title: 'New MID',
  parent: { href: '/dashboard/mids', text: 'MIDs' },
  draw: (choices, { query }) => <NewMid choices={choices} merchantId={query.get('merchant')} />,
});

export { generateMetadata, Page as default };
