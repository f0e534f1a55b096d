import { listPage } from '../../list-page';

export const metadata = { title: 'Mappings' };

export default listPage('mappings');
