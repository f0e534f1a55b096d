// The user of a dashboard page. The layout and the page both read it; the lookup runs once per request.
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { authenticate, roleNames, type Session, type Viewer } from '../../lib/auth';
import { enrolPath, merchantName, readZone, signInPath } from '../../lib/dashboard';
import type { SignedInUser } from '../../lib/dashboard/contract';

const authState = cache(async () => authenticate(await headers()));

/** The signed-in user, or null. */
export async function currentViewer(): Promise<Viewer | null> {
  return (await authState()).viewer;
}

/** A user who has given the password and must set up a second factor first, or null. */
export async function currentEnrolling(): Promise<Viewer | null> {
  return (await authState()).enrolling;
}

/** The session of the signed-in user. */
export async function requireSession(path: string): Promise<{ viewer: Viewer; session: Session }> {
  const { viewer, enrolling, session } = await authState();
  if (viewer && session) return { viewer, session };
  const query = new URLSearchParams({ next: path });
  return redirect(`${enrolling ? enrolPath : signInPath}?${query}`);
}

/** The time zone of the user's browser, if its cookie is set. */
export async function currentZone(): Promise<string> {
  return readZone((await cookies()).get('florin_zone')?.value);
}

/** The user as the pages show it. */
export async function signedInUser({ name, email, role, merchantId }: Viewer): Promise<SignedInUser> {
  const own = merchantId === null ? null : await merchantName(merchantId);
  return { name, email, roleName: roleNames[role], merchantName: own };
}
