// Who asks for a page of the dashboard. Asked by the layout and by the page, answered once per request.
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import type { Person } from '../../components/dashboard/model';
import { roleNames, type Viewer } from '../../lib/auth/roles';
import { viewerOf } from '../../lib/auth/viewer';
import { signInPath } from '../../lib/dashboard/paths';
import { readZone } from '../../lib/dashboard/query';
import { merchantName } from '../../lib/payments/list';

/** The person who has signed in, or null. */
export const currentViewer = cache(async (): Promise<Viewer | null> => (await viewerOf(await headers())).viewer);

/** The person who has signed in. Anybody else is led to sign in first, and then to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  return (await currentViewer()) ?? redirect(`${signInPath}?next=${encodeURIComponent(path)}`);
}

/** The time zone of the person's browser, as far as it has been told. */
export async function currentZone(): Promise<string> {
  return readZone((await cookies()).get('florin_zone')?.value);
}

/** The person as the pages show them. */
export async function personOf({ name, email, role, merchantId }: Viewer): Promise<Person> {
  const own = merchantId === null ? null : await merchantName(merchantId);
  return { name, email, roleName: roleNames[role], merchantName: own };
}
