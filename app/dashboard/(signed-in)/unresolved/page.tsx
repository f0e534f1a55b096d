import { UnresolvedItems } from '../../../../components/dashboard/unresolved/unresolved';
import { listPage } from '../../list-page';

export const metadata = { title: 'Unresolved' };

export default listPage('unresolved', UnresolvedItems);
