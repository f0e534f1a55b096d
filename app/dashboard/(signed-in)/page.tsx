import type { Metadata } from 'next';
import { Overview } from '../../../components/dashboard/overview/overview';
import { TopBar } from '../../../components/dashboard/shell/shell';
import { zoneText } from '../../../components/dashboard/times';
import { may } from '../../../lib/auth';
import { env } from '../../../lib/config';
import { homePath, overview, withExpiringCertificates } from '../../../lib/dashboard';
import { now } from '../../../lib/db/clock';
import { currentScope } from '../scope';
import { currentZone, requireViewer } from '../session';

export const metadata: Metadata = { title: 'Overview' };

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function OverviewPage({ searchParams }: Props) {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) {
    for (const each of [value].flat()) if (each !== undefined) query.append(name, each);
  }
  const text = query.toString();
  const viewer = await requireViewer(text === '' ? homePath : `${homePath}?${text}`);
  const zone = await currentZone();
  const at = now();
  const scope = await currentScope(viewer);
  const model = await withExpiringCertificates(await overview(query, scope, zone, at), viewer, scope, at);
  const sandbox = env.appEnv === 'sandbox';
  return (
    <>
      <TopBar title="Overview" sandbox={sandbox} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Overview
          overview={model}
          currency={query.get('currency')}
          zone={zoneText(at.toISOString(), zone)}
          sandbox={sandbox}
          seesCallbacks={may(viewer.role, 'developers.read')}
        />
      </main>
    </>
  );
}
