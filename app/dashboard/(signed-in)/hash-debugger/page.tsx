import { HashDebugger } from '../../../../components/dashboard/developers/hash-debugger.tsx';
import { debuggerPage } from '../../../../lib/dashboard/index.ts';
import { dashboardPage } from '../../dashboard-page.tsx';

const { generateMetadata, Page } = dashboardPage({
  read: debuggerPage,
  path: '/dashboard/hash-debugger',
  right: 'developers.read',
  title: 'Hash debugger',
  draw: (debugged, { query }) => <HashDebugger initial={debugged} request={query.get('request') ?? ''} />,
});

export { generateMetadata, Page as default };
