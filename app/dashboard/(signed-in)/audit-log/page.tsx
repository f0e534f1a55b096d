import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AuditLog } from '../../../../components/dashboard/audit/audit-log';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { auditChoices, auditPage } from '../../../../lib/dashboard';
import { currentScope } from '../../scope';
import { currentZone, requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Audit log' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function AuditLogPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/audit-log?${query}`);
  if (!may(viewer.role, 'audit.read')) notFound();
  const [scope, zone] = await Promise.all([currentScope(viewer), currentZone()]);
  const [initial, choices] = await Promise.all([auditPage({ viewer, scope, query, zone }), auditChoices(viewer)]);
  return (
    <>
      <TopBar title="Audit log" count={`${initial.total} entries`} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <AuditLog
          initial={initial}
          query={query.toString()}
          choices={choices}
          ofMerchant={viewer.merchantId !== null}
        />
      </main>
    </>
  );
}
