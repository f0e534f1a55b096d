import { Schedules } from '../../../../components/dashboard/recurring/schedules';
import { may } from '../../../../lib/auth';
import { listPage } from '../../list-page';

export const metadata = { title: 'Schedules' };

export default listPage('schedules', Schedules, async ({ viewer }) => ({
  mayChange: may(viewer.role, 'schedules.change'),
}));
