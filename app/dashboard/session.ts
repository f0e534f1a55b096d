// Who asks for a page of the dashboard. Asked by the layout and by the page, answered once per request.
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { authenticate, roleNames, type Session, type Viewer } from '../../lib/auth';
import { enrolPath, merchantName, readZone, signInPath } from '../../lib/dashboard';
import type { SignedInUser } from '../../lib/dashboard/contract';

const authState = cache(async () => authenticate(await headers()));

/** The person who has signed in, or null. */
export async function currentViewer(): Promise<Viewer | null> {
  return (await authState()).viewer;
}

/** Somebody who has given the password and has to set up a second factor before anything else, or null. */
export async function currentEnrolling(): Promise<Viewer | null> {
  return (await authState()).enrolling;
}

/** The session of the person who has signed in. */
export async function requireSession(path: string): Promise<{ viewer: Viewer; session: Session }> {
  const { viewer, enrolling, session } = await authState();
  if (viewer && session) return { viewer, session };
  const query = new URLSearchParams({ next: path });
  return redirect(`${enrolling ? enrolPath : signInPath}?${query}`);
}

/** The person who has signed in. Anybody else is led to sign in first, and then to `path`. */
export async function requireViewer(path: string): Promise<Viewer> {
  return (await requireSession(path)).viewer;
}

/** The time zone of the person's browser, as far as it has been told. */
export async function currentZone(): Promise<string> {
  return readZone((await cookies()).get('florin_zone')?.value);
}

/** The person as the pages show them. */
export async function signedInUser({ name, email, role, merchantId }: Viewer): Promise<SignedInUser> {
  const own = merchantId === null ? null : await merchantName(merchantId);
  return { name, email, roleName: roleNames[role], merchantName: own };
}
