import type { Metadata } from 'next';
import { Chargebacks } from '../../../../components/dashboard/disputes/chargebacks';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { env } from '../../../../lib/config';
import { chargebackList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Chargebacks' };

export default async function ChargebacksPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/chargebacks', searchParams);
  return (
    <>
      <TopBar title="Chargebacks" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Chargebacks
          initial={await chargebackList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          sandbox={env.appEnv === 'sandbox'}
        />
      </main>
    </>
  );
}
