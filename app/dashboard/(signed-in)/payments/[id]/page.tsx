import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { cache } from 'react';
import { Payment } from '../../../../../components/dashboard/payments/payment';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { env } from '../../../../../lib/config';
import { paymentPage, paymentsPath } from '../../../../../lib/dashboard';
import { now } from '../../../../../lib/db/clock';
import { requireViewer } from '../../../session';

type Props = { params: Promise<{ id: string }> };

const pageOf = cache(async (id: string) => {
  const viewer = await requireViewer(`${paymentsPath}/${encodeURIComponent(id)}`);
  return paymentPage(id, viewer, now());
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const page = await pageOf((await params).id);
  return { title: page ? `${page.amount} ${page.currency}, ${page.orderNumber}` : 'Payment not found' };
}

export default async function PaymentRoute({ params }: Props) {
  const page = await pageOf((await params).id);
  if (!page) notFound();
  const parent = { href: paymentsPath, text: 'Payments' };
  return (
    <>
      <TopBar parent={parent} title={page.orderNumber} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Payment key={page.id} initial={page} />
      </main>
    </>
  );
}
