import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Mappings' };

export default listPage('mappings');
