import { NewMerchant } from '../../../../../components/dashboard/merchants/new-merchant.tsx';
import { env } from '../../../../../lib/config/index.ts';
import { existing } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: async ({ scope }) => existing(scope === null ? { environment: env.appEnv } : null),
  path: '/dashboard/merchants/new',
  right: 'merchants.create',
  title: 'New merchant',
  parent: { href: '/dashboard/merchants', text: 'Merchants' },
  // A user who selected one merchant would not see a new one.
  draw: ({ environment }) => <NewMerchant environment={environment} />,
});

export { generateMetadata, Page as default };
