import { BrandingEditor } from '../../../../components/dashboard/branding/editor';
import { brandingPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const page = dashboardPage({
  read: brandingPage,
  path: '/dashboard/payment-page',
  right: 'branding.change',
  title: 'Payment page',
  draw: (branding) => <BrandingEditor page={branding} />,
});

export const generateMetadata = page.metadata;

export default page.Page;
