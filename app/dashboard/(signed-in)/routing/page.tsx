import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Routing' };

export default listPage('routing');
