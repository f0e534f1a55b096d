import type { Metadata } from 'next';
import { Payouts } from '../../../../components/dashboard/payouts/payouts';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { env } from '../../../../lib/config';
import { payoutList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Payouts' };

export default async function PayoutsPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/payouts', searchParams);
  return (
    <>
      <TopBar title="Payouts" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Payouts
          initial={await payoutList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          origin={env.baseUrl}
        />
      </main>
    </>
  );
}
