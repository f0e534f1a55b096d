import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'MIDs' };

export default listPage('mids');
