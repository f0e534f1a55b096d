import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { TopBar } from '../../../../components/dashboard/shell/shell';
import { Users } from '../../../../components/dashboard/users/users';
import { may } from '../../../../lib/auth';
import { env } from '../../../../lib/config';
import { usersData } from '../../../../lib/dashboard';
import { now } from '../../../../lib/db/clock';
import { currentScope } from '../../scope';
import { requireViewer } from '../../session';

export const metadata: Metadata = { title: 'Users' };

export default async function UsersPage() {
  const viewer = await requireViewer('/dashboard/people');
  if (!may(viewer.role, 'users.read')) notFound();
  const initial = await usersData({ viewer, scope: await currentScope(viewer), now: now() });
  const count = initial.people.length;
  return (
    <>
      <TopBar title="Users" count={`${count} ${count === 1 ? 'user' : 'users'}`} sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main">
        <Users initial={initial} />
      </main>
    </>
  );
}
