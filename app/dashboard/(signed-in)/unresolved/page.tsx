import { UnresolvedItems } from '../../../../components/dashboard/unresolved/unresolved.tsx';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Unresolved' };

export default listPage('unresolved', UnresolvedItems);
