import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Mid } from '../../../../../components/dashboard/mids/mid';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { midChoices, midPage } from '../../../../../lib/dashboard';
import { now } from '../../../../../lib/db/clock';
import { currentScope } from '../../../scope';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'MID' };

export default async function OneMidPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const viewer = await requireViewer(`/dashboard/mids/${encodeURIComponent(id)}`);
  const scope = await currentScope(viewer);
  const mayRead = may(viewer.role, 'settings.read');
  const page = mayRead ? await midPage({ viewer, scope, params: { id }, now: now() }) : null;
  if (!page) notFound();
  const parent = { href: '/dashboard/mids', text: 'MIDs' };
  return (
    <>
      <TopBar parent={parent} title={page.values.name} heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Mid key={page.id} initial={page} choices={await midChoices(scope)} />
      </main>
    </>
  );
}
