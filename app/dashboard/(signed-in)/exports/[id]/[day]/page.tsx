import { NightlyExport } from '../../../../../../components/dashboard/payments/nightly-export.tsx';
import { nightlyExportPage } from '../../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  path: '/dashboard/exports/:id/:day',
  right: 'payments.export',
  read: nightlyExportPage,
  title: ({ name, day }) => `${name}, ${day}`,
  parent: { href: '/dashboard/payments', text: 'Payments' },
  draw: (page) => <NightlyExport page={page} />,
});

export { generateMetadata, Page as default };
