import { listPage } from '../../list-page';

export const metadata = { title: 'Recurring payments' };

export default listPage('chains');
