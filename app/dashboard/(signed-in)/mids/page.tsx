import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Mids } from '../../../../components/dashboard/mids/mids';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { midChoices, midList } from '../../../../lib/dashboard';
import { currentScope } from '../../scope';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'MIDs' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function MidsPage({ searchParams }: Props) {
  const query = new URLSearchParams(await searchParams);
  const viewer = await requireViewer(`/dashboard/mids?${query}`);
  if (!may(viewer.role, 'settings.read')) notFound();
  const scope = await currentScope(viewer);
  const [initial, { merchants, methods }] = await Promise.all([midList({ query, scope }), midChoices(scope)]);
  return (
    <>
      <TopBar title="MIDs" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Mids
          initial={initial}
          query={query.toString()}
          merchants={merchants}
          methods={methods}
          manyMerchants={scope === null}
          mayCreate={may(viewer.role, 'settings.change')}
        />
      </main>
    </>
  );
}
