import type { Metadata } from 'next';
import { Sessions } from '../../../../components/dashboard/sessions/sessions';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { env } from '../../../../lib/config';
import { sessionList } from '../../../../lib/dashboard';
import { methods } from '../../../../lib/methods/catalog';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Checkout sessions' };

export default async function SessionsPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/sessions', searchParams);
  return (
    <>
      <TopBar title="Checkout sessions" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Sessions
          initial={await sessionList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          sandbox={env.appEnv === 'sandbox'}
          origin={env.baseUrl}
          methods={methods.map(({ id, name }) => ({ value: id, label: name }))}
        />
      </main>
    </>
  );
}
