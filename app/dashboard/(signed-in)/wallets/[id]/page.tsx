import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { walletNames } from '../../../../../components/dashboard/wallets/labels';
import { Wallet } from '../../../../../components/dashboard/wallets/wallet';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { countryNames } from '../../../../../lib/core/countries';
import { merchantScope, walletPage } from '../../../../../lib/dashboard';
import { now } from '../../../../../lib/db/clock';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'Wallet' };

export default async function OneWalletPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const viewer = await requireViewer(`/dashboard/wallets/${encodeURIComponent(id)}`);
  const scope = merchantScope(viewer, await headers());
  const mayRead = may(viewer.role, 'settings.read');
  const wallet = mayRead ? await walletPage({ params: { id }, scope, viewer, now: now() }) : null;
  if (!wallet) notFound();
  return (
    <>
      <TopBar
        parent={{ href: `/dashboard/wallets?merchant=${wallet.merchant.id}`, text: 'Wallets' }}
        title={`${wallet.merchant.name}, ${walletNames[wallet.kind]}`}
        heading={false}
        sandbox={env.appEnv === 'sandbox'}
      />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Wallet key={wallet.id} initial={wallet} countries={countryNames('en')} />
      </main>
    </>
  );
}
