import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Payouts' };

export default listPage('payouts');
