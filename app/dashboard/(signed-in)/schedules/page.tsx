import { Schedules } from '../../../../components/dashboard/recurring/schedule-form.tsx';
import { may } from '../../../../lib/auth/index.ts';
import { listPage } from '../../list-page.tsx';

export const metadata = { title: 'Schedules' };

export default listPage('schedules', Schedules, async ({ viewer }) => ({
  mayChange: may(viewer.role, 'schedules.change'),
}));
