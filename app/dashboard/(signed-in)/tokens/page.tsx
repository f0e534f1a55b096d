import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Tokens' };

export default listPage('tokens');
