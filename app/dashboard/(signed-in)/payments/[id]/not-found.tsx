import Link from 'next/link';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { env } from '../../../../../lib/config';
import { paymentsPath } from '../../../../../lib/dashboard';

export default function NoPayment() {
  return (
    <>
      <TopBar title="No such payment" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main dashboard-lost">
        <p>There is no payment with this id among those that you can see.</p>
        <Link href={paymentsPath} className="button">
          Go to the payments
        </Link>
      </main>
    </>
  );
}
