import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { RequestBuilder } from '../../../../components/dashboard/developers/request-builder';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { builderPage } from '../../../../lib/dashboard';
import { pageRequest, type SearchParams } from '../../page-request';

export const metadata: Metadata = { title: 'Request builder' };

export default async function RequestBuilderPage({ searchParams }: { searchParams: SearchParams }) {
  const request = await pageRequest('/dashboard/request-builder', searchParams);
  if (!may(request.viewer.role, 'developers.send')) notFound();
  return (
    <>
      <TopBar title="Request builder" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <RequestBuilder initial={await builderPage(request)} />
      </main>
    </>
  );
}
