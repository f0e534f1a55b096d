import type { Metadata } from 'next';
import { Payments } from '../../../../components/dashboard/payments';
import { TopBar } from '../../../../components/dashboard/shell';
import { merchantOf } from '../../../../lib/auth/roles';
import { paymentsPath } from '../../../../lib/dashboard/paths';
import { paymentList } from '../../../../lib/dashboard/payments';
import { readListQuery } from '../../../../lib/dashboard/query';
import { env } from '../../../../lib/env';
import { currentZone, requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Payments' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function PaymentsPage({ searchParams }: Props) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) {
    for (const each of [value].flat()) if (each !== undefined) query.append(name, each);
  }
  const text = query.toString();
  const viewer = await requireViewer(text === '' ? paymentsPath : `${paymentsPath}?${text}`);
  const merchantId = merchantOf(viewer);
  const initial = await paymentList(readListQuery(query, await currentZone()), merchantId);
  const sandbox = env.appEnv === 'sandbox';
  return (
    <>
      <TopBar title="Payments" sandbox={sandbox} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Payments initial={initial} initialQuery={text} manyMerchants={merchantId === null} sandbox={sandbox} />
      </main>
    </>
  );
}
