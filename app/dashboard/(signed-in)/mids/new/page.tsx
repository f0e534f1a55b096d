import { NewMid } from '../../../../../components/dashboard/mids/new-mid.tsx';
import { midChoices } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('mids', {
  path: 'new',
  read: ({ scope }) => midChoices(scope),
  right: 'settings.change',
  title: 'New MID',
  draw: (choices, { query }) => <NewMid choices={choices} merchantId={query.get('merchant')} />,
});

export { generateMetadata, Page as default };
