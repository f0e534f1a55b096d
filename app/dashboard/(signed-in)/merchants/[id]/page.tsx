import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Merchant } from '../../../../../components/dashboard/merchants/merchant';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { merchantPage } from '../../../../../lib/dashboard';
import { currentScope } from '../../../scope';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'Merchant' };

export default async function OneMerchantPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const viewer = await requireViewer(`/dashboard/merchants/${encodeURIComponent(id)}`);
  const mayRead = may(viewer.role, 'settings.read');
  const page = mayRead ? await merchantPage({ viewer, scope: await currentScope(viewer), params: { id } }) : null;
  if (!page) notFound();
  const parent = { href: '/dashboard/merchants', text: 'Merchants' };
  return (
    <>
      <TopBar parent={parent} title={page.values.name} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Merchant key={page.id} initial={page} />
      </main>
    </>
  );
}
