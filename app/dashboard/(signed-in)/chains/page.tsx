import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Recurring payments' };

export default listPage('chains');
