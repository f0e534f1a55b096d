import { Overview } from '../../../components/dashboard/overview/overview';
import { zoneText } from '../../../components/dashboard/times';
import { may } from '../../../lib/auth';
import { env } from '../../../lib/config';
import { homePath, overview } from '../../../lib/dashboard';
import { dashboardPage } from '../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: overview,
  path: homePath,
  title: 'Overview',
  draw: (model, { viewer, query, zone, now }) => (
    <Overview
      overview={model}
      currency={query.get('currency')}
      zone={zoneText(now.toISOString(), zone)}
      sandbox={env.appEnv === 'sandbox'}
      seesCallbacks={may(viewer.role, 'developers.read')}
    />
  ),
});

export { generateMetadata, Page as default };
