import { listPage } from '../../list-page';

export const metadata = { title: 'MIDs' };

export default listPage('mids');
