import { Requests } from '../../../../components/dashboard/requests/requests';
import { listPage } from '../../list-page';

export const metadata = { title: 'API logs' };

export default listPage('requests', Requests);
