import { Requests } from '../../../../components/dashboard/requests/requests.tsx';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'API logs' };

export default listPage('requests', Requests);
