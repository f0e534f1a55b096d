import { Differences } from '../../../../components/dashboard/reconciliation/differences.tsx';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Differences' };

export default listPage('differences', Differences);
