import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { Routing } from '../../../../../components/dashboard/routing/routing';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { protocolNames } from '../../../../../lib/core/mapping-options';
import { merchantScope, routingPage } from '../../../../../lib/dashboard';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'Routing' };

export default async function OneRoutingPage({ params }: { params: Promise<{ mappingId: string }> }) {
  const { mappingId } = await params;
  const viewer = await requireViewer(`/dashboard/routing/${encodeURIComponent(mappingId)}`);
  const scope = merchantScope(viewer, await headers());
  const page = may(viewer.role, 'settings.read') ? await routingPage(mappingId, { viewer, scope }) : null;
  if (!page) notFound();
  return (
    <>
      <TopBar
        parent={{ href: '/dashboard/routing', text: 'Routing' }}
        title={`${page.merchant.name}, ${protocolNames[page.protocol]}`}
        heading={false}
        sandbox={env.appEnv === 'sandbox'}
      />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Routing key={page.mappingId} initial={page} />
      </main>
    </>
  );
}
