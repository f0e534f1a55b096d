import { walletNames } from '../../../../../components/dashboard/wallets/labels';
import { Wallet } from '../../../../../components/dashboard/wallets/wallet';
import { countryNames } from '../../../../../lib/core/countries';
import { walletPage } from '../../../../../lib/dashboard';
import { dashboardPage } from '../../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: walletPage,
  path: '/dashboard/wallets/:id',
  right: 'settings.read',
  title: ({ merchant, kind }) => `${merchant.name}, ${walletNames[kind]}`,
  tab: 'Wallet',
  parent: ({ merchant }) => ({ href: `/dashboard/wallets?merchant=${merchant.id}`, text: 'Wallets' }),
  draw: (wallet) => <Wallet key={wallet.id} initial={wallet} countries={countryNames('en')} />,
});

export { generateMetadata, Page as default };
