import { listPage } from '../../list-page';

export const metadata = { title: 'Merchants' };

export default listPage('merchants');
