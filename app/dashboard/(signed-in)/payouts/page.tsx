import { listPage } from '../../list-page';

export const metadata = { title: 'Payouts' };

export default listPage('payouts');
