import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { NewMerchant } from '../../../../../components/dashboard/merchants/new-merchant';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { currentScope } from '../../../scope';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'New merchant' };

export default async function NewMerchantPage() {
  const viewer = await requireViewer('/dashboard/merchants/new');
  if (!may(viewer.role, 'merchants.create') || (await currentScope(viewer)) !== null) notFound();
  const parent = { href: '/dashboard/merchants', text: 'Merchants' };
  return (
    <>
      <TopBar parent={parent} title="New merchant" heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <NewMerchant environment={env.appEnv} />
      </main>
    </>
  );
}
