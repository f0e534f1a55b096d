import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { notFound } from 'next/navigation';
import { LookEditor } from '../../../../components/dashboard/look/editor';
import { TopBar } from '../../../../components/dashboard/shell';
import { may } from '../../../../lib/auth/roles';
import { env } from '../../../../lib/config/config';
import { scopeOf } from '../../../../lib/dashboard/guard';
import { lookPage } from '../../../../lib/dashboard/look/look';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Payment page' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function PaymentPageLookPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/payment-page?${query}`);
  const scope = scopeOf(viewer, await headers());
  const page = may(viewer.role, 'look.change') ? await lookPage({ query, scope }) : null;
  if (!page) notFound();
  return (
    <>
      <TopBar title="Payment page" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <LookEditor page={page} />
      </main>
    </>
  );
}
