import { listPage } from '../../list-page';

export const metadata = { title: 'Chargebacks' };

export default listPage('chargebacks');
