import { listPage } from '../../list-page';

export const metadata = { title: 'Checkout sessions' };

export default listPage('sessions');
