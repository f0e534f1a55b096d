import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { Payments } from '../../../../components/dashboard/payments/list';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import {
  merchantScope,
  paymentChoices,
  paymentList,
  paymentsPath,
  readPaymentListQuery,
  viewsOf,
} from '../../../../lib/dashboard';
import { now } from '../../../../lib/db/clock';
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
  const scope = merchantScope(viewer, await headers());
  const onlooker = { scope, role: viewer.role, now: now() };
  const [initial, choices, { views }] = await Promise.all([
    paymentList(readPaymentListQuery(query, await currentZone()), onlooker),
    paymentChoices(scope),
    viewsOf(viewer),
  ]);
  const sandbox = env.appEnv === 'sandbox';
  return (
    <>
      <TopBar title="Payments" sandbox={sandbox} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Payments
          initial={initial}
          initialQuery={text}
          choices={choices}
          views={views}
          manyMerchants={scope === null}
          mayExport={may(viewer.role, 'payments.export')}
          sandbox={sandbox}
        />
      </main>
    </>
  );
}
