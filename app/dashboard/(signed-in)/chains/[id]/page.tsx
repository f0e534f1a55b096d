import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { ChainView } from '../../../../../components/dashboard/recurring/chain';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { env } from '../../../../../lib/config';
import { chainPage } from '../../../../../lib/dashboard';
import { pageRequest } from '../../../page-request';

type Props = { params: Promise<{ id: string }> };

const pageOf = cache(async (id: string) =>
  chainPage(id, await pageRequest(`/dashboard/chains/${encodeURIComponent(id)}`)),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf((await params).id);
  return { title: page ? page.orderNumber : 'Not found' };
}

export default async function ChainViewRoute({ params }: Props) {
  const page = await pageOf((await params).id);
  if (!page) notFound();
  const parent = { href: '/dashboard/chains', text: 'Recurring payments' };
  return (
    <>
      <TopBar parent={parent} title={page.orderNumber} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <ChainView key={page.id} initial={page} />
      </main>
    </>
  );
}
