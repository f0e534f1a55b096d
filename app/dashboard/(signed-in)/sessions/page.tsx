import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Checkout sessions' };

export default listPage('sessions');
