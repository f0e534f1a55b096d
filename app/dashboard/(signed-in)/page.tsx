import { Overview } from '../../../components/dashboard/overview/overview.tsx';
import { zoneText } from '../../../components/dashboard/times.ts';
import { may } from '../../../lib/auth/index.ts';
import { env, linkBase } from '../../../lib/config/index.ts';
import { homePath, overview } from '../../../lib/dashboard/index.ts';
import { dashboardPage } from '../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: overview,
  path: homePath,
  title: 'Overview',
  draw: (model, { viewer, query, zone, now }) => (
    <Overview
      overview={model}
      currency={query.get('currency')}
      zone={zoneText(now.toISOString(), zone)}
      shopUrl={env.appEnv === 'sandbox' ? `${linkBase('public')}/` : null}
      seesCallbacks={may(viewer.role, 'developers.read')}
    />
  ),
});

export { generateMetadata, Page as default };
