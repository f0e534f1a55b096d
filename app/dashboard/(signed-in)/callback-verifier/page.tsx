import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CallbackVerifier } from '../../../../components/dashboard/developers/callback-verifier';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { pageRequest } from '../../page-request';

export const metadata: Metadata = { title: 'Callback verifier' };

export default async function CallbackVerifierPage() {
  const { viewer } = await pageRequest('/dashboard/callback-verifier');
  if (!may(viewer.role, 'developers.read')) notFound();
  return (
    <>
      <TopBar title="Callback verifier" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <CallbackVerifier />
      </main>
    </>
  );
}
