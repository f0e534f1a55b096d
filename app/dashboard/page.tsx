import { redirect } from 'next/navigation';
import { paymentsPath } from '../../lib/dashboard/paths';

export default function Dashboard() {
  redirect(paymentsPath);
}
