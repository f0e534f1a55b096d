import { Wallets } from '../../../../components/dashboard/wallets/wallets';
import { countryNames } from '../../../../lib/core/countries';
import { walletsPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: walletsPage,
  path: '/dashboard/wallets',
  right: 'settings.read',
  title: 'Wallets',
  draw: (wallets) => <Wallets page={wallets} countries={countryNames('en')} />,
});

export { generateMetadata, Page as default };
