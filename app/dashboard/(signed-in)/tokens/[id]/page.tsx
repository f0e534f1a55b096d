import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { TokenView } from '../../../../../components/dashboard/tokens/token';
import { env } from '../../../../../lib/config';
import { tokenPage } from '../../../../../lib/dashboard';
import { pageRequest } from '../../../page-request';

type Props = { params: Promise<{ id: string }> };

const pageOf = cache(async (id: string) =>
  tokenPage(id, await pageRequest(`/dashboard/tokens/${encodeURIComponent(id)}`)),
);

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf((await params).id);
  return { title: page ? `${page.brand} •••• ${page.last4}` : 'Not found' };
}

export default async function TokenViewRoute({ params }: Props) {
  const page = await pageOf((await params).id);
  if (!page) notFound();
  const parent = { href: '/dashboard/tokens', text: 'Tokens' };
  return (
    <>
      <TopBar
        parent={parent}
        title={`${page.brand} •••• ${page.last4}`}
        heading={false}
        sandbox={env.appEnv === 'sandbox'}
      />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <TokenView key={page.id} initial={page} />
      </main>
    </>
  );
}
