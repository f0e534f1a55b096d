import { RequestBuilder } from '../../../../components/dashboard/developers/request-builder.tsx';
import { builderPage } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: builderPage,
  path: '/dashboard/request-builder',
  right: 'developers.send',
  title: 'Request builder',
  draw: (builder) => <RequestBuilder initial={builder} />,
});

export { generateMetadata, Page as default };
