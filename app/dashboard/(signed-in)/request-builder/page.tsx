import { RequestBuilder } from '../../../../components/dashboard/developers/request-builder';
import { builderPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: builderPage,
  path: '/dashboard/request-builder',
  right: 'developers.send',
  title: 'Request builder',
  draw: (builder) => <RequestBuilder initial={builder} />,
});

export { generateMetadata, Page as default };
