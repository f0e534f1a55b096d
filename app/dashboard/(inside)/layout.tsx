import type { ReactNode } from 'react';
import { Shell } from '../../../components/dashboard/shell';
import { env } from '../../../lib/env';
import { currentViewer, currentZone, personOf } from '../session';

export default async function Inside({ children }: { children: ReactNode }) {
  const viewer = await currentViewer();
  // Without one, the page itself leads to the sign-in, because it knows where to come back to.
  if (!viewer) return children;
  return (
    <Shell person={await personOf(viewer)} sandbox={env.appEnv === 'sandbox'} zone={await currentZone()}>
      {children}
    </Shell>
  );
}
