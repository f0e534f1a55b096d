import { TopBar } from '../../../components/dashboard/shell/shell';
import { LinkButton } from '../../../components/dashboard/ui';
import { env } from '../../../lib/config';
import { homePath } from '../../../lib/dashboard';

export default function NothingHere() {
  return (
    <>
      <TopBar title="Nothing here" sandbox={env.appEnv === 'sandbox'} />
      <main id="main" tabIndex={-1} className="dashboard-main dashboard-lost">
        <p>There is nothing at this address among what you can see.</p>
        <LinkButton href={homePath}>Go to the overview</LinkButton>
      </main>
    </>
  );
}
