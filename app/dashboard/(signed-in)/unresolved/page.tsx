import type { Metadata } from 'next';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { UnresolvedItems } from '../../../../components/dashboard/unresolved/unresolved';
import { env } from '../../../../lib/config';
import { unresolvedList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Unresolved' };

export default async function UnresolvedPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/unresolved', searchParams);
  return (
    <>
      <TopBar title="Unresolved" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <UnresolvedItems
          initial={await unresolvedList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          sandbox={env.appEnv === 'sandbox'}
        />
      </main>
    </>
  );
}
