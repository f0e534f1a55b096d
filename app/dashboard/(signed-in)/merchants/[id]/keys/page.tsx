import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { MerchantKeys } from '../../../../../../components/dashboard/merchants/keys';
import { TopBar } from '../../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../../lib/auth';
import { env } from '../../../../../../lib/config';
import { keyList, merchantPage } from '../../../../../../lib/dashboard';
import { now } from '../../../../../../lib/db/clock';
import { currentScope } from '../../../../scope';
import { requireViewer } from '../../../../session';

export const metadata: Metadata = { title: 'Keys' };

export default async function KeysPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const viewer = await requireViewer(`/dashboard/merchants/${encodeURIComponent(id)}/keys`);
  if (!may(viewer.role, 'keys.read')) notFound();
  const requested = { viewer, scope: await currentScope(viewer), params: { id }, now: now() };
  const [page, keys] = await Promise.all([merchantPage(requested), keyList(requested)]);
  if (!page || !keys) notFound();
  const parent = { href: '/dashboard/merchants', text: 'Merchants' };
  return (
    <>
      <TopBar parent={parent} title={page.values.name} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <MerchantKeys key={page.id} merchant={page} initial={keys} environment={env.appEnv} />
      </main>
    </>
  );
}
