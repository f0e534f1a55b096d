import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Chargebacks' };

export default listPage('chargebacks');
