import { ScheduleView } from '../../../../../components/dashboard/recurring/schedule.tsx';
import { schedulePage } from '../../../../../lib/dashboard/index.ts';
import { pageBelow } from '../../../dashboard-page.tsx';

const { generateMetadata, Page } = pageBelow('schedules', {
  read: schedulePage,
  title: ({ name }) => name,
  draw: (schedule) => <ScheduleView key={schedule.id} initial={schedule} />,
});

export { generateMetadata, Page as default };
