import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { NewMid } from '../../../../../components/dashboard/mids/new-mid';
import { TopBar } from '../../../../../components/dashboard/shell/shell';
import { may } from '../../../../../lib/auth';
import { env } from '../../../../../lib/config';
import { midChoices } from '../../../../../lib/dashboard';
import { currentScope } from '../../../scope';
import { requireViewer } from '../../../session';

export const metadata: Metadata = { title: 'New MID' };

type Props = { searchParams: Promise<Record<string, string>> };

export default async function NewMidPage({ searchParams }: Props) {
  const { merchant } = await searchParams;
  const viewer = await requireViewer('/dashboard/mids/new');
  if (!may(viewer.role, 'settings.change')) notFound();
  const choices = await midChoices(await currentScope(viewer));
  const parent = { href: '/dashboard/mids', text: 'MIDs' };
  return (
    <>
      <TopBar parent={parent} title="New MID" heading={false} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <NewMid choices={choices} merchantId={merchant ?? null} />
      </main>
    </>
  );
}
