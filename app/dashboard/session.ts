// The user and the request of a dashboard page. Layout and page both read the user; the lookup runs once per request.
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { authenticate, type Viewer } from '../../lib/auth/index.ts';
import {
  enrolPath,
  lockedPath,
  merchantScope,
  type PageContext,
  readZone,
  signInPath,
} from '../../lib/dashboard/index.ts';
import { signInErrorKinds, signInErrorText } from '../../lib/dashboard/sign-in/labels.ts';
import { now } from '../../lib/db/clock.ts';
import { cookieName } from '../../lib/http/index.ts';

/** The signed-in user, or who is `enrolling`: has given the password and must set up a second factor first. */
export const authState = cache(async () => authenticate(await headers()));

/** The time zone of the user's browser, if its cookie is set. */
export async function currentZone(): Promise<string> {
  return readZone((await cookies()).get(cookieName('florin_zone'))?.value);
}

/** The merchant that limits this request: by the role, or the sidebar's selection; null for every merchant. */
export async function currentScope(viewer: Viewer): Promise<string | null> {
  return merchantScope(viewer, await headers());
}

/** The request as the data routes have it. Redirects to the sign-in first, and then back to this address. */
export async function pageRequest(path: string, query: URLSearchParams): Promise<Omit<PageContext, 'params'>> {
  const { viewer, enrolling, locked, session } = await authState();
  if (!viewer || !session) {
    const next = new URLSearchParams({ next: query.size === 0 ? path : `${path}?${query}` });
    return redirect(`${locked ? lockedPath : enrolling ? enrolPath : signInPath}?${next}`);
  }
  return { viewer, session, scope: await currentScope(viewer), query, zone: await currentZone(), now: now() };
}

type Query = Record<string, string | string[] | undefined>;

export type SignInPageProps = { searchParams: Promise<Query> };
export type TokenPageProps = SignInPageProps & { params: Promise<{ token: string }> };

/** A parameter of a page; a repeated one counts as absent. */
export const textOf = (parameter: Query[string]) => (typeof parameter === 'string' ? parameter : null);

/** The error of a sign-in form sent without script. */
export function signInError({ fault, count }: Query): string | null {
  const kind = signInErrorKinds.find((each) => each === fault);
  return kind ? signInErrorText(kind, textOf(count)) : null;
}
