import { ScheduleView } from '../../../../../components/dashboard/recurring/schedule.tsx';
import { schedulePage } from '../../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: schedulePage,
  path: '/dashboard/schedules/:id',
  title: ({ name }) => name,
  parent: { href: '/dashboard/schedules', text: 'Schedules' },
  draw: (schedule) => <ScheduleView key={schedule.id} initial={schedule} />,
});

export { generateMetadata, Page as default };
