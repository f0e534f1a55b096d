import { BrandingEditor } from '../../../../components/dashboard/branding/editor';
import { brandingPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: brandingPage,
  path: '/dashboard/payment-page',
  right: 'branding.change',
  title: 'Payment page',
  draw: (branding) => <BrandingEditor page={branding} />,
});

export { generateMetadata, Page as default };
