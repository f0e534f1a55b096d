import { cookies } from 'next/headers';
import type { ReactNode } from 'react';
import { navItems } from '../../../components/dashboard/shell/nav.ts';
import { Shell } from '../../../components/dashboard/shell/shell.tsx';
import { readTheme, themeCookie } from '../../../components/dashboard/shell/theme.ts';
import { may, roleNames, seesEveryMerchant, type Viewer } from '../../../lib/auth/index.ts';
import { env } from '../../../lib/config/index.ts';
import type { SignedInUser } from '../../../lib/dashboard/contract.ts';
import { actionCounts, merchantName } from '../../../lib/dashboard/index.ts';
import { now } from '../../../lib/db/clock.ts';
import { cookieName } from '../../../lib/http/index.ts';
import { authState, currentScope, currentZone } from '../session.ts';

export default async function SignedInLayout({ children }: { children: ReactNode }) {
  const { viewer } = await authState();
  // Without a user, the page redirects to the sign-in, because it knows its own path.
  if (!viewer) return children;
  const scope = await currentScope(viewer);
  const frame = {
    person: await signedInUser(viewer),
    navItems: navItems.filter((item) => may(viewer.role, item.right)),
    sandbox: env.appEnv === 'sandbox',
    theme: readTheme((await cookies()).get(cookieName(themeCookie))?.value),
    counts: await actionCounts(scope, now()),
    merchant: await shownMerchant(viewer, scope),
    canSwitch: seesEveryMerchant(viewer.role),
  };
  return (
    <Shell frame={frame} zone={await currentZone()}>
      {children}
    </Shell>
  );
}

async function signedInUser({ name, email, role, merchantId }: Viewer): Promise<SignedInUser> {
  const own = merchantId === null ? null : await merchantName(merchantId);
  return { name, email, roleName: roleNames[role], merchantName: own };
}

async function shownMerchant(viewer: Viewer, scope: string | null) {
  if (scope === null) return null;
  // A selected merchant that no longer exists shows no rows, so the switcher names it.
  return {
    id: scope,
    name: (await merchantName(scope)) ?? (seesEveryMerchant(viewer.role) ? 'Merchant not found' : ''),
  };
}
