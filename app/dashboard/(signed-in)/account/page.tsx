import type { Metadata } from 'next';
import { Account } from '../../../../components/dashboard/account/account';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { env } from '../../../../lib/config';
import { account } from '../../../../lib/dashboard';
import { requireSession } from '../../session';

export const metadata: Metadata = { title: 'Account' };

export default async function AccountPage() {
  const signedIn = await requireSession('/dashboard/account');
  return (
    <>
      <TopBar title="Account" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Account initial={await account(signedIn)} />
      </main>
    </>
  );
}
