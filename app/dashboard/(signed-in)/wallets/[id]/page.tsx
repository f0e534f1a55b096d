import { walletNames } from '../../../../../components/dashboard/wallets/labels.tsx';
import { Wallet } from '../../../../../components/dashboard/wallets/wallet.tsx';
import { countryNames } from '../../../../../lib/core/countries.ts';
import { walletPage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

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
