import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { BrandingEditor } from '../../../../components/dashboard/branding/editor';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { brandingPage, merchantScope } from '../../../../lib/dashboard';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Payment page' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function BrandingSettingsPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/payment-page?${query}`);
  const scope = merchantScope(viewer, await headers());
  const page = may(viewer.role, 'branding.change') ? await brandingPage({ query, scope }) : null;
  if (!page) notFound();
  return (
    <>
      <TopBar title="Payment page" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <BrandingEditor page={page} />
      </main>
    </>
  );
}
