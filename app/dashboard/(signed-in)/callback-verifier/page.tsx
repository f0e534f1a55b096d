import { CallbackVerifier } from '../../../../components/dashboard/developers/callback-verifier.tsx';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: async () => true,
  path: '/dashboard/callback-verifier',
  right: 'developers.read',
  title: 'Callback verifier',
  draw: () => <CallbackVerifier />,
});

export { generateMetadata, Page as default };
