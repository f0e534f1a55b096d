import { Mid } from '../../../../../components/dashboard/mids/mid.tsx';
import { midChoices, midPage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('mids', {
  read: midPage,
  title: ({ values }) => values.name,
  tab: 'MID',
  draw: async (mid, { scope }) => <Mid key={mid.id} initial={mid} choices={await midChoices(scope)} />,
});

export { generateMetadata, Page as default };
