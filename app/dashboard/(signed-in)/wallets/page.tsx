import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { Wallets } from '../../../../components/dashboard/wallets/wallets';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { countryNames } from '../../../../lib/core/countries';
import { merchantScope, walletsPage } from '../../../../lib/dashboard';
import { now } from '../../../../lib/db/clock';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Wallets' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function WalletsOverviewPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/wallets?${query}`);
  const scope = merchantScope(viewer, await headers());
  const mayRead = may(viewer.role, 'settings.read');
  const page = mayRead ? await walletsPage({ query, scope, viewer, now: now() }) : null;
  if (!page) notFound();
  return (
    <>
      <TopBar title="Wallets" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Wallets page={page} countries={countryNames('en')} />
      </main>
    </>
  );
}
