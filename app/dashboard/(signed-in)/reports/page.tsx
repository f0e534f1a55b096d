import { Reports } from '../../../../components/dashboard/reconciliation/reports.tsx';
import { uploadChoices } from '../../../../lib/dashboard/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Settlement reports' };

export default listPage('reports', Reports, uploadChoices);
