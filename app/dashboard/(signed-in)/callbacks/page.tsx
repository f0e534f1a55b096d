import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Callbacks } from '../../../../components/dashboard/callbacks/callbacks';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { callbackList, callbackSummary, dayIn } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Callbacks' };

export default async function CallbacksPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/callbacks', searchParams);
  const { role } = request.viewer;
  if (!may(role, 'developers.read')) notFound();
  const [initial, summary] = await Promise.all([callbackList(request), callbackSummary(request)]);
  return (
    <>
      <TopBar title="Callbacks" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Callbacks
          initial={initial}
          summary={summary}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          today={dayIn(request.zone, request.now)}
          mayResend={may(role, 'callbacks.resend')}
          mayHold={may(role, 'callbacks.hold')}
        />
      </main>
    </>
  );
}
