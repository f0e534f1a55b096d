import { Overview } from '../../../components/dashboard/overview/overview';
import { zoneText } from '../../../components/dashboard/times';
import { may } from '../../../lib/auth';
import { env } from '../../../lib/config';
import { homePath, overview, withExpiringCertificates } from '../../../lib/dashboard';
import { dashboardPage } from '../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  async read({ viewer, scope, query, zone, now }) {
    return withExpiringCertificates(await overview(query, scope, zone, now), viewer, scope, now);
  },
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
