import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Merchants' };

export default listPage('merchants');
