import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ScheduleView } from '../../../../../components/dashboard/recurring/schedule';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { env } from '../../../../../lib/config';
import { schedulePage } from '../../../../../lib/dashboard';
import { pageRequest } from '../../../page-request';

type Props = { params: Promise<{ id: string }> };

const pageOf = cache(async (id: string) =>
  schedulePage(id, await pageRequest(`/dashboard/schedules/${encodeURIComponent(id)}`)),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf((await params).id);
  return { title: page ? page.name : 'Not found' };
}

export default async function ScheduleViewRoute({ params }: Props) {
  const page = await pageOf((await params).id);
  if (!page) notFound();
  const parent = { href: '/dashboard/schedules', text: 'Schedules' };
  return (
    <>
      <TopBar parent={parent} title={page.name} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <ScheduleView key={page.id} initial={page} />
      </main>
    </>
  );
}
