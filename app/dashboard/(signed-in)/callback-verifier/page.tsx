import { CallbackVerifier } from '../../../../components/dashboard/developers/callback-verifier';
import { dashboardPage } from '../../dashboard-page';

const page = dashboardPage({
  read: () => true,
  path: '/dashboard/callback-verifier',
  right: 'developers.read',
  title: 'Callback verifier',
  draw: () => <CallbackVerifier />,
});

export const generateMetadata = page.metadata;

export default page.Page;
