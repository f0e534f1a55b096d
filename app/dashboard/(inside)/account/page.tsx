import type { Metadata } from 'next';
import { Account } from '../../../../components/dashboard/account';
import { TopBar } from '../../../../components/dashboard/shell';
import { env } from '../../../../lib/env';
import { personOf, requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const viewer = await requireViewer('/dashboard/account');
  return (
    <>
      <TopBar title="Account" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Account person={await personOf(viewer)} />
      </main>
    </>
  );
}
