import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { SessionView } from '../../../../../components/dashboard/sessions/session';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { env } from '../../../../../lib/config';
import { sessionPage } from '../../../../../lib/dashboard';
import { pageRequest } from '../../../page-request';

type Props = { params: Promise<{ id: string }> };

const pageOf = cache(async (id: string) =>
  sessionPage(id, await pageRequest(`/dashboard/sessions/${encodeURIComponent(id)}`)),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf((await params).id);
  return { title: page ? page.orderNumber : 'Not found' };
}

export default async function SessionViewRoute({ params }: Props) {
  const page = await pageOf((await params).id);
  if (!page) notFound();
  const parent = { href: '/dashboard/sessions', text: 'Checkout sessions' };
  return (
    <>
      <TopBar parent={parent} title={page.orderNumber} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <SessionView key={page.id} initial={page} />
      </main>
    </>
  );
}
