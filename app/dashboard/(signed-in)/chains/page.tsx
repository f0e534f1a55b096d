import type { Metadata } from 'next';
import { Chains } from '../../../../components/dashboard/recurring/chains';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { env } from '../../../../lib/config';
import { chainList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Recurring payments' };

export default async function ChainsPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/chains', searchParams);
  return (
    <>
      <TopBar title="Recurring payments" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Chains
          initial={await chainList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          origin={env.baseUrl}
        />
      </main>
    </>
  );
}
