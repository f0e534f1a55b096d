import { listPage } from '../../list-page';

export const metadata = { title: 'Tokens' };

export default listPage('tokens');
