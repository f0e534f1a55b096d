import { TopBar } from '../../../components/dashboard/shell/top-bar.tsx';
import { LinkButton } from '../../../components/dashboard/ui/index.ts';
import { homePath } from '../../../lib/dashboard/index.ts';

export default function NothingHere() {
  return (
    <>
      <TopBar title="Not found" />
      <main id="main" tabIndex={-1} className="dashboard-main dashboard-lost">
        <p>This page does not exist, or you do not have access to it.</p>
        <LinkButton href={homePath}>Go to the overview</LinkButton>
      </main>
    </>
  );
}
