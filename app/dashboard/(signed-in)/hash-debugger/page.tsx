import { HashDebugger } from '../../../../components/dashboard/developers/hash-debugger';
import { debuggerPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const page = dashboardPage({
  read: debuggerPage,
  path: '/dashboard/hash-debugger',
  right: 'developers.read',
  title: 'Hash debugger',
  draw: (debugged, { query }) => <HashDebugger initial={debugged} request={query.get('request') ?? ''} />,
});

export const generateMetadata = page.metadata;

export default page.Page;
