import { NewMerchant } from '../../../../../components/dashboard/merchants/new-merchant.tsx';
import { env } from '../../../../../lib/config/index.ts';
import { existing } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('merchants', {
  path: 'new',
  read: async ({ scope }) => existing(scope === null ? { environment: env.appEnv } : null),
  right: 'merchants.create',
  title: 'New merchant',
  // A user who selected one merchant would not see a new one.
  draw: ({ environment }) => <NewMerchant environment={environment} />,
});

export { generateMetadata, Page as default };
