import { BrandingEditor } from '../../../../components/dashboard/branding/editor.tsx';
import { brandingPage } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: brandingPage,
  path: '/dashboard/payment-page',
  right: 'branding.change',
  title: 'Payment page',
  draw: (branding) => <BrandingEditor page={branding} />,
});

export { generateMetadata, Page as default };
