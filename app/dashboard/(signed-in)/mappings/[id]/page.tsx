import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { Mapping } from '../../../../../components/dashboard/mappings/mapping';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { protocolNames } from '../../../../../lib/core/mapping-options';
import { mappingPage, merchantScope } from '../../../../../lib/dashboard';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'Mapping' };

export default async function OneMappingPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const viewer = await requireViewer(`/dashboard/mappings/${encodeURIComponent(id)}`);
  const mayRead = may(viewer.role, 'settings.read');
  const page = mayRead ? await mappingPage(id, viewer, merchantScope(viewer, await headers())) : null;
  if (!page) notFound();
  return (
    <>
      <TopBar
        parent={{ href: '/dashboard/mappings', text: 'Mappings' }}
        title={`${page.merchant.name}, ${protocolNames[page.protocol]}`}
        heading={false}
        sandbox={env.appEnv === 'sandbox'}
      />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Mapping key={page.id} initial={page} />
      </main>
    </>
  );
}
