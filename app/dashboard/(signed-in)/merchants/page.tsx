import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Merchants } from '../../../../components/dashboard/merchants/merchants';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { merchantList } from '../../../../lib/dashboard';
import { now } from '../../../../lib/db/clock';
import { currentScope } from '../../scope';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Merchants' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function MerchantsPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/merchants?${query}`);
  if (!may(viewer.role, 'settings.read')) notFound();
  const scope = await currentScope(viewer);
  return (
    <>
      <TopBar title="Merchants" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Merchants
          initial={await merchantList({ query, scope, now: now() })}
          query={query.toString()}
          mayCreate={scope === null && may(viewer.role, 'merchants.create')}
        />
      </main>
    </>
  );
}
