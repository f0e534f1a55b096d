import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { HashDebugger } from '../../../../components/dashboard/developers/hash-debugger';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { debuggerPage } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Hash debugger' };

export default async function HashDebuggerPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/hash-debugger', searchParams);
  if (!may(request.viewer.role, 'developers.read')) notFound();
  return (
    <>
      <TopBar title="Hash debugger" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <HashDebugger initial={await debuggerPage(request)} request={request.query.get('request') ?? ''} />
      </main>
    </>
  );
}
