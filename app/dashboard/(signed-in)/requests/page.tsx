import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Requests } from '../../../../components/dashboard/requests/requests';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { sessionCurl } from '../../../../lib/core/demo-request';
import { requestList } from '../../../../lib/dashboard';
import { actionRegistry } from '../../../../lib/protocols';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'API logs' };

export default async function RequestsPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/requests', searchParams);
  if (!may(request.viewer.role, 'developers.read')) notFound();
  const order = `first-${request.now.getTime().toString(36)}`;
  return (
    <>
      <TopBar title="API logs" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Requests
          initial={await requestList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          actions={actionRegistry.map(({ protocol, action }) => ({ protocol, action }))}
          days={env.requestLogDays}
          firstRequest={sessionCurl(env.baseUrl, order, env.baseUrl, 2)}
        />
      </main>
    </>
  );
}
