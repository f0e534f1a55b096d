import { listPage } from '../../list-page';

export const metadata = { title: 'Routing' };

export default listPage('routing');
