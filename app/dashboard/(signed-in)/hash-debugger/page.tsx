import { HashDebugger } from '../../../../components/dashboard/developers/hash-debugger';
import { debuggerPage } from '../../../../lib/dashboard';
import { dashboardPage } from '../../dashboard-page';

const { generateMetadata, Page } = dashboardPage({
  read: debuggerPage,
  path: '/dashboard/hash-debugger',
  right: 'developers.read',
  title: 'Hash debugger',
  draw: (debugged, { query }) => <HashDebugger initial={debugged} request={query.get('request') ?? ''} />,
});

export { generateMetadata, Page as default };
