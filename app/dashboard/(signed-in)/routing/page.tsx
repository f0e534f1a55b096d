import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { Mappings } from '../../../../components/dashboard/mappings/mappings';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { mappingList, merchantScope } from '../../../../lib/dashboard';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Routing' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function RoutingPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/routing?${query}`);
  if (!may(viewer.role, 'settings.read')) notFound();
  const scope = merchantScope(viewer, await headers());
  return (
    <>
      <TopBar title="Routing" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Mappings
          way="routing"
          initial={await mappingList({ query, scope })}
          query={query.toString()}
          manyMerchants={scope === null}
        />
      </main>
    </>
  );
}
