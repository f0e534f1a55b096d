import type { Metadata } from 'next';
import { Schedules } from '../../../../components/dashboard/recurring/schedules';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { scheduleList } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Schedules' };

export default async function SchedulesPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/schedules', searchParams);
  return (
    <>
      <TopBar title="Schedules" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Schedules
          initial={await scheduleList(request)}
          query={request.query.toString()}
          manyMerchants={request.scope === null}
          mayChange={may(request.viewer.role, 'schedules.change')}
          origin={env.baseUrl}
        />
      </main>
    </>
  );
}
