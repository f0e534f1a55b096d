import Link from 'next/link';
import { TopBar } from '../../../../../components/dashboard/shell/top-bar.tsx';
import { paymentsPath } from '../../../../../lib/dashboard/index.ts';

export default function NoPayment() {
  return (
    <>
      <TopBar title="Payment not found" />
      <main id="main" tabIndex={-1} className="dashboard-main dashboard-lost">
        <p>No payment with this ID exists, or you do not have access to it.</p>
        <Link href={paymentsPath} className="button">
          Go to the payments
        </Link>
      </main>
    </>
  );
}
