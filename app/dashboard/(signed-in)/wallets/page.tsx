import { Wallets } from '../../../../components/dashboard/wallets/wallets.tsx';
import { countryNames } from '../../../../lib/core/countries.ts';
import { walletsPage } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: walletsPage,
  path: '/dashboard/wallets',
  right: 'settings.read',
  title: 'Wallets',
  draw: (wallets) => <Wallets page={wallets} countries={countryNames('en')} />,
});

export { generateMetadata, Page as default };
